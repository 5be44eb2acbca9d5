import * as z from 'zod/mini';
import { DEFAULT_PAGE_SIZE, pageQuery } from '#shared/api/platform/queryInputs.ts';
import { pageOf } from '#shared/api/views.ts';
import { listPublished } from '#shared/storage/dynamodb/integrations/hub.ts';
import {
  findPackages,
  listPackages,
  type Package,
  type PackageKind,
} from '#shared/storage/dynamodb/integrations/packages.ts';

export const packageQuery = z.object({
  ...pageQuery,
  name: z.optional(z.string()),
  version: z.optional(z.string()),
});

interface Page {
  input: z.infer<typeof packageQuery>;
  pageStart: string | undefined;
  nextToken: (position: string) => string;
}

interface Listed {
  packages: Package[];
  meta: { nextToken?: string };
}

/** Returns a workspace's packages, newest first. Reads all of them, because their number is bounded. */
export async function listOwnPackages(
  kind: PackageKind,
  workspaceId: string,
  { input: { pageSize = DEFAULT_PAGE_SIZE, name, version }, pageStart, nextToken }: Page,
): Promise<Listed> {
  const found = (await listPackages(workspaceId, kind))
    .filter(each => (name === undefined || each.name === name) && (version === undefined || each.version === version))
    .filter(({ id }) => pageStart === undefined || id < pageStart)
    .sort((a, b) => (a.id < b.id ? 1 : -1));
  const { records, last } = pageOf(found, pageSize);
  return { packages: records, meta: last ? { nextToken: nextToken(last.id) } : {} };
}

export async function listPublicPackages(
  kind: PackageKind,
  { input: { pageSize = DEFAULT_PAGE_SIZE, name, version }, pageStart, nextToken }: Page,
): Promise<Listed> {
  const entries = await listPublished(kind, { name, version, after: pageStart, limit: pageSize + 1 });
  const { records, last } = pageOf(entries, pageSize);
  const found = await findPackages(
    kind,
    records.map(({ id }) => id),
  );
  return {
    packages: records.flatMap(({ id }) => found.get(id) ?? []),
    meta: last ? { nextToken: nextToken(last.position) } : {},
  };
}

/** Format of exports: docs/export.md#format. The manifest is written last. */
import * as z from 'zod/mini';
import { TENANT_KINDS } from '#shared/storage/dynamodb/tenants/sections.ts';
import type { Tenant } from '#shared/storage/dynamodb/tenants/tenants.ts';

export const VERSION = 1;
export const MANIFEST = 'manifest.json';
export const OBJECTS = 'objects/';

export const Manifest = z.object({
  format: z.literal('parley-export'),
  version: z.number(),
  workspaceId: z.string(),
  /** `check` detects a wrong passphrase. */
  secrets: z.union([
    z.object({ mode: z.literal('passphrase'), check: z.string() }),
    z.object({ mode: z.literal('withheld') }),
  ]),
  tenants: z.array(z.object({ kind: z.enum(TENANT_KINDS), id: z.string() })),
  /** Installed integrations, interfaces and plugins of other workspaces. They are not exported. */
  references: z.array(z.string()),
  kinds: z.record(z.string(), z.number()),
  objects: z.number(),
  /** Referenced objects that were deleted. */
  missingObjects: z.array(z.string()),
  exportedAt: z.string(),
});
export type Manifest = z.infer<typeof Manifest>;

/** `bots/131e8924-…/message.1.ndjson`, numbered per tenant and sorted by number. */
export const linesFile = ({ kind, id }: Tenant, recordKind: string, part: number): string =>
  `${kind}s/${id}/${recordKind}.${part}.ndjson`;

const LINES_FILE = /^(\w+)s\/([\w-]+)\/(\w+)\.(\d+)\.ndjson$/;

export function parseLinesFile(path: string): { tenant: string; kind: string; part: number } | undefined {
  const [, , tenant, kind, part] = LINES_FILE.exec(path) ?? [];
  return tenant && kind && part ? { tenant, kind, part: Number(part) } : undefined;
}

export interface Sink {
  lines(path: string, text: string): Promise<void>;
  /** Returns false if the object was deleted. */
  object(key: string): Promise<boolean>;
  manifest(text: string): Promise<void>;
}

/**
 * The form of an export (docs/export.md#format): lines by tenant and kind, objects under their keys, and a manifest,
 * which is written last.
 */
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
  /** Sealed with a passphrase, by which `check` tells a wrong one; or withheld. */
  secrets: z.union([
    z.object({ mode: z.literal('passphrase'), check: z.string() }),
    z.object({ mode: z.literal('withheld') }),
  ]),
  tenants: z.array(z.object({ kind: z.enum(TENANT_KINDS), id: z.string() })),
  /**
   * Integrations, interfaces and plugins of other workspaces that bots of this one have: they are not in the export.
   */
  references: z.array(z.string()),
  /** Lines of each kind. */
  kinds: z.record(z.string(), z.number()),
  objects: z.number(),
  /** Objects to which items refer, and which were gone. */
  missingObjects: z.array(z.string()),
  exportedAt: z.string(),
});
export type Manifest = z.infer<typeof Manifest>;

/** `bots/131e8924-…/message.1.ndjson`: the parts of a tenant are numbered, and sort by number. */
export const linesFile = ({ kind, id }: Tenant, recordKind: string, part: number): string =>
  `${kind}s/${id}/${recordKind}.${part}.ndjson`;

const LINES_FILE = /^(\w+)s\/([\w-]+)\/(\w+)\.(\d+)\.ndjson$/;

/** What a file of lines has; undefined for any other file. */
export function parseLinesFile(path: string): { tenant: string; kind: string; part: number } | undefined {
  const [, , tenant, kind, part] = LINES_FILE.exec(path) ?? [];
  return tenant && kind && part ? { tenant, kind, part: Number(part) } : undefined;
}

/** Where an export is written. */
export interface Sink {
  lines(path: string, text: string): Promise<void>;
  /** Copies an object of the bucket. @returns false when it is gone */
  object(key: string): Promise<boolean>;
  manifest(text: string): Promise<void>;
}

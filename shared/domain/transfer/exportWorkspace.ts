/** Exports are deterministic: the same items produce the same bytes. */

import { VALUE } from '#shared/storage/dynamodb/engine/largeValue.ts';
import type { Item } from '#shared/storage/dynamodb/engine/query.ts';
import {
  accountInWorkspace,
  isOfWorkspace,
  itemsOfTenant,
  type Place,
  type Tenant,
} from '#shared/storage/dynamodb/tenants/tenants.ts';
import { exportedPrefixes } from '#shared/storage/s3/prefixes.ts';
import { linesFile, type Manifest, type Sink, VERSION } from './format.ts';
import { lineOf } from './lines.ts';
import type { Secrets } from './secrets.ts';

const PART_BYTES = 8_000_000;
const PART_OBJECT_BYTES = 200_000_000;

/** Serializable, so another process can resume. */
export interface Progress {
  tenants: Tenant[];
  tenant: number;
  place?: Place | undefined;
  part: number;
  kinds: Record<string, number>;
  objects: number;
  missingObjects: string[];
  references: string[];
}

export const startOf = (tenants: Tenant[]): Progress => ({
  tenants,
  tenant: 0,
  part: 1,
  kinds: {},
  objects: 0,
  missingObjects: [],
  references: [],
});

interface Adding {
  workspaceId: string;
  tenant: Tenant;
  secrets: Pick<Secrets, 'export'>;
  isLeftOut: (kind: string) => boolean;
}

interface Part {
  lines: Map<string, string[]>;
  objects: Set<string>;
  bytes: number;
  objectBytes: number;
}
const emptyPart = (): Part => ({ lines: new Map(), objects: new Set(), bytes: 0, objectBytes: 0 });

/** Yields the progress after each part. */
export async function* exportParts(
  workspaceId: string,
  start: Progress,
  secrets: Pick<Secrets, 'export'>,
  sink: Sink,
  isLeftOut: (kind: string) => boolean = () => false,
): AsyncGenerator<Progress> {
  let progress = start;
  for (const [i, tenant] of start.tenants.entries()) {
    if (i < start.tenant) continue;
    const from = i === start.tenant ? start.place : undefined;
    if (i > start.tenant) progress = { ...progress, part: 1 };
    let part = emptyPart();
    for await (const { items, place } of itemsOfTenant(tenant, from)) {
      for (const item of items)
        if (isOfWorkspace(workspaceId, item)) await add(part, { workspaceId, tenant, secrets, isLeftOut }, item);
      if (part.bytes < PART_BYTES && part.objectBytes < PART_OBJECT_BYTES) continue;
      progress = { ...(await writePart(part, tenant, progress, sink)), tenant: i, place, part: progress.part + 1 };
      part = emptyPart();
      yield progress;
    }
    progress = { ...(await writePart(part, tenant, progress, sink)), tenant: i + 1, place: undefined, part: 1 };
    yield progress;
  }
}

async function add(part: Part, { workspaceId, tenant, secrets, isLeftOut }: Adding, item: Item): Promise<void> {
  const line = await lineOf(accountInWorkspace(workspaceId, item), secrets);
  if (!line || isLeftOut(line.kind)) return;
  const lines = part.lines.get(line.kind);
  if (lines) lines.push(line.text);
  else part.lines.set(line.kind, [line.text]);
  part.bytes += line.text.length;
  for (const object of objectsIn(item, tenant.id)) {
    if (!line.text.includes(object)) continue;
    part.objects.add(object);
    part.objectBytes += Number(item.content?.size ?? item[VALUE.sizeBytes] ?? 0);
  }
}

function objectsIn(item: Item, tenant: string): string[] {
  const prefixes = exportedPrefixes(tenant);
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value === 'string') {
      if (value.length < MAX_KEY && prefixes.some(prefix => value.startsWith(prefix))) found.push(value);
    } else if (typeof value === 'object' && value !== null && !(value instanceof Uint8Array)) {
      Object.values(value).forEach(visit);
    }
  };
  visit(item);
  return found;
}
const MAX_KEY = 300;

async function writePart(part: Part, tenant: Tenant, progress: Progress, sink: Sink): Promise<Progress> {
  const kinds = { ...progress.kinds };
  const missingObjects = [...progress.missingObjects];
  let { objects } = progress;
  for (const key of [...part.objects].sort()) {
    if (await sink.object(key)) objects++;
    else missingObjects.push(key);
  }
  for (const [kind, lines] of [...part.lines].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await sink.lines(linesFile(tenant, kind, progress.part), `${lines.join('\n')}\n`);
    kinds[kind] = (kinds[kind] ?? 0) + lines.length;
  }
  const references = [...new Set([...progress.references, ...referencesIn(part, progress.tenants)])].sort();
  return { ...progress, kinds, objects, missingObjects, references };
}

function referencesIn({ lines }: Part, tenants: readonly Tenant[]): string[] {
  const own = new Set(tenants.map(({ id }) => id));
  const installed = (lines.get('bot') ?? []).flatMap(text =>
    (JSON.parse(text).item.installations as { integrationId: string }[]).map(({ integrationId }) => integrationId),
  );
  return installed.filter(id => !own.has(id));
}

export const manifestOf = (
  workspaceId: string,
  { tenants, kinds, objects, missingObjects, references }: Progress,
  secrets: Manifest['secrets'],
  nowMs: number,
): string => {
  const manifest: Manifest = {
    format: 'parley-export',
    version: VERSION,
    workspaceId,
    secrets,
    tenants,
    references,
    kinds: Object.fromEntries(Object.entries(kinds).sort(([a], [b]) => (a < b ? -1 : 1))),
    objects,
    missingObjects,
    exportedAt: new Date(nowMs).toISOString(),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
};

/**
 * An interrupted import can be repeated. Items with other content are never overwritten. The workspace is unreachable,
 * and no timer fires, until its members are imported at the end.
 */
import { clock } from '#shared/core/clock.ts';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { hashText } from '#shared/core/ids.ts';
import type { Item } from '#shared/storage/dynamodb/query.ts';
import {
  findImport,
  findTenantRecords,
  importItem,
  joinImported,
  recordImport,
} from '#shared/storage/dynamodb/tenants/imports.ts';
import { ownerOf } from '#shared/storage/dynamodb/tenants/kinds.ts';
import { IMPORTED } from '#shared/storage/dynamodb/tenants/portable.ts';
import { findWorkspace } from '#shared/storage/dynamodb/workspace/workspaces.ts';
import { tenantPrefixes } from '#shared/storage/s3/prefixes.ts';
import { Manifest, parseLinesFile, VERSION } from './format.ts';
import { itemOf, lineOf } from './lines.ts';
import type { Secrets } from './secrets.ts';

export interface Source {
  manifest(): Promise<string>;
  files(): Promise<string[]>;
  lines(path: string): AsyncIterable<string>;
  objects(): Promise<{ key: string; sizeBytes: number }[]>;
  putObject(key: string, sizeBytes: number): Promise<void>;
}

export class ImportRejected extends Error {
  override readonly name = 'ImportRejected';
}

/** Imported last, in this order: kinds that open the workspace to callers or fire timers. */
const LATE = ['webhook', 'bot', 'member', 'workspace', 'timer', 'scheduledMessage'];
const CONCURRENT_ITEMS = 24;
const CONCURRENT_OBJECTS = 4;
const LINES_TOGETHER = 1_000;

export function parseManifest(text: string): Manifest {
  const parsed = Manifest.safeParse(parseJson(text));
  if (!parsed.success)
    throw new ImportRejected('The export is incomplete: its manifest.json is missing or damaged. Export it again.');
  if (parsed.data.version > VERSION) {
    throw new ImportRejected(
      `The export has format version ${parsed.data.version}, but this Parley reads up to ${VERSION}. Upgrade Parley first.`,
    );
  }
  return parsed.data;
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export interface Report {
  say(line: string): void;
}

/** Returns false if the import was already complete. @throws ImportRejected */
export async function importWorkspace(source: Source, secrets: Secrets, { say }: Report): Promise<boolean> {
  const text = await source.manifest();
  const manifest = parseManifest(text);
  const { workspaceId } = manifest;
  const checksum = hashText(text);
  const [before, workspace] = await Promise.all([findImport(workspaceId), findWorkspace(workspaceId)]);
  if (before?.checksum === checksum && before.doneAtMs !== undefined) return false;
  if (before ? before.checksum !== checksum : workspace) {
    throw new ImportRejected(
      `The workspace ${workspaceId} already exists and is not from this export. Delete it first, or import into another installation.`,
    );
  }
  const files = inOrder(await source.files());
  await requireComplete(manifest, files, source);
  const known = await findTenantRecords(manifest.tenants);
  if (!before) requireFree(manifest, known);
  const context = { manifest, secrets, joined: joinedAccounts(manifest, known) };
  await putObjects(source, manifest, say);
  let done = before?.files ?? 0;
  for (const path of files.slice(done)) {
    await importFile(source, path, context);
    await recordImport(workspaceId, { checksum, files: ++done });
    say(`${done} of ${files.length} files: ${path}`);
  }
  await recordImport(workspaceId, { checksum, files: done, doneAtMs: clock.now() });
  return true;
}

function inOrder(paths: readonly string[]): string[] {
  const rank = (path: string) => LATE.indexOf(parseLinesFile(path)!.kind);
  return paths.filter(path => parseLinesFile(path)).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

async function requireComplete(manifest: Manifest, files: readonly string[], source: Source): Promise<void> {
  const counts: Record<string, number> = {};
  for (const path of files) {
    const { kind } = parseLinesFile(path)!;
    for await (const _ of source.lines(path)) counts[kind] = (counts[kind] ?? 0) + 1;
  }
  const wrong = Object.keys({ ...counts, ...manifest.kinds }).find(kind => counts[kind] !== manifest.kinds[kind]);
  if (wrong !== undefined) {
    throw new ImportRejected(
      `The export is incomplete: it has ${counts[wrong] ?? 0} of ${manifest.kinds[wrong] ?? 0} lines of ${wrong}. Copy or unpack it again.`,
    );
  }
  const { length } = await source.objects();
  // An interrupted export may have left one more.
  if (length < manifest.objects) {
    throw new ImportRejected(
      `The export is incomplete: it has ${length} of ${manifest.objects} objects. Copy or unpack it again.`,
    );
  }
}

async function putObjects(source: Source, { tenants }: Manifest, say: Report['say']): Promise<void> {
  const { sizeOfObject } = await import('#shared/storage/s3/objects.ts');
  const objects = await source.objects();
  const prefixes = tenants.flatMap(({ id }) => tenantPrefixes(id));
  const strange = objects.find(({ key }) => !prefixes.some(prefix => key.startsWith(prefix)));
  if (strange)
    throw new ImportRejected(
      `The object ${strange.key} belongs to no tenant in the manifest. Export the workspace again.`,
    );
  let put = 0;
  await mapConcurrently(objects, CONCURRENT_OBJECTS, async ({ key, sizeBytes }) => {
    // Keys are random: an object of the same key and size is from an earlier run.
    if ((await sizeOfObject(key)) !== sizeBytes) await source.putObject(key, sizeBytes);
    if (++put % 100 === 0) say(`${put} of ${objects.length} objects`);
  });
}

interface Context {
  manifest: Manifest;
  secrets: Secrets;
  joined: ReadonlySet<string>;
}

async function importFile(source: Source, path: string, context: Context): Promise<void> {
  let chunk: string[] = [];
  const flush = async () => {
    await mapConcurrently(chunk, CONCURRENT_ITEMS, text => importLine(text, path, context));
    chunk = [];
  };
  for await (const line of source.lines(path)) {
    chunk.push(line);
    if (chunk.length === LINES_TOGETHER) await flush();
  }
  await flush();
}

async function importLine(text: string, path: string, { manifest, secrets, joined }: Context): Promise<void> {
  const { kind, item } = await itemOf(text, secrets).catch(error => {
    throw new ImportRejected(`${path} has an invalid line: ${(error as Error).message}`);
  });
  const owner = ownerOf(item);
  if (!manifest.tenants.some(({ id }) => id === owner)) {
    throw new ImportRejected(
      `${path} has a line of ${owner}, which is not in the manifest. Import only exports that you trust.`,
    );
  }
  if (joined.has(owner!)) {
    // Never import tokens for an existing account: the export may be forged.
    if (kind === 'account') await joinImported(item.id, manifest.workspaceId, item);
    return;
  }
  const existing = await importItem(item);
  if (!existing || (await lineOf(existing, secrets))?.text === text) return;
  // From an earlier import of a workspace that was deleted since.
  if (kind === 'account' && (await joinImported(item.id, manifest.workspaceId, item))) return;
  throw new ImportRejected(
    `A different ${kind} ${item.pk} ${item.sk} already exists. Delete it, or import into another installation.`,
  );
}

/** Existing bots, integrations and packages belong to others, so an import must not add to them. */
function requireFree({ tenants }: Manifest, known: ReadonlyMap<string, unknown>): void {
  const taken = tenants.find(({ kind, id }) => kind !== 'account' && known.has(id));
  if (!taken) return;
  throw new ImportRejected(
    `The ${taken.kind} ${taken.id} already exists. Delete it first, or import into another installation.`,
  );
}

function joinedAccounts({ tenants, workspaceId }: Manifest, known: ReadonlyMap<string, Item>): Set<string> {
  const isJoined = ({ memberships }: Item) => Object.keys(memberships).some(id => id !== workspaceId);
  const isMade = (item: Item) => item[IMPORTED] !== undefined && !isJoined(item);
  const accounts = tenants.filter(({ kind, id }) => kind === 'account' && known.has(id));
  return new Set(accounts.map(({ id }) => id).filter(id => !isMade(known.get(id)!)));
}

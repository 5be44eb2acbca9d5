/**
 * Makes a workspace anew from an export, with the same ids. Everything is written where nothing is, so that an import
 * that was cut short is run again; what is there with other content is never overwritten. Nobody can reach the
 * workspace before its last lines, its own members, are there, and nothing fires before that.
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

/** Where an export is read from. */
export interface Source {
  manifest(): Promise<string>;
  /** The files of lines, by path. */
  files(): Promise<string[]>;
  lines(path: string): AsyncIterable<string>;
  /** The keys of the objects, with their sizes. */
  objects(): Promise<{ key: string; sizeBytes: number }[]>;
  /** Puts one into the bucket. */
  putObject(key: string, sizeBytes: number): Promise<void>;
}

/** The export cannot be imported here. The message says why, and what to do. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused';
}

/** These kinds come after all others, in this order: what opens a workspace to callers, and what fires. */
const LATE = ['webhook', 'bot', 'member', 'workspace', 'timer', 'scheduledMessage'];
const ITEMS_AT_ONCE = 24;
const OBJECTS_AT_ONCE = 4;
const LINES_TOGETHER = 1_000;

/** @throws ImportRefused for what is no export, or of another version */
export function parseManifest(text: string): Manifest {
  const parsed = Manifest.safeParse(parseJson(text));
  if (!parsed.success)
    throw new ImportRefused('This is no complete export: its manifest.json is missing or damaged. Export it again.');
  if (parsed.data.version > VERSION) {
    throw new ImportRefused(
      `The export has format version ${parsed.data.version}, and this Parley reads up to ${VERSION}. Upgrade it first.`,
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

/**
 * Imports an export, or goes on with it.
 * @returns whether anything was left to do
 * @throws ImportRefused before the first write, or at the first item that is there with other content
 */
export async function importWorkspace(source: Source, secrets: Secrets, { say }: Report): Promise<boolean> {
  const text = await source.manifest();
  const manifest = parseManifest(text);
  const { workspaceId } = manifest;
  const checksum = hashText(text);
  const [before, workspace] = await Promise.all([findImport(workspaceId), findWorkspace(workspaceId)]);
  if (before?.checksum === checksum && before.doneAtMs !== undefined) return false;
  if (before ? before.checksum !== checksum : workspace) {
    throw new ImportRefused(
      `The workspace ${workspaceId} is here already, from elsewhere than this export. Delete it first, or import into another installation.`,
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
    throw new ImportRefused(
      `The export is not complete: it has ${counts[wrong] ?? 0} lines of ${wrong}, and its manifest says ${manifest.kinds[wrong] ?? 0}. Copy or unpack it again.`,
    );
  }
  const { length } = await source.objects();
  // A reading that was cut short may have left one more.
  if (length < manifest.objects) {
    throw new ImportRefused(
      `The export is not complete: it has ${length} of ${manifest.objects} objects. Copy or unpack it again.`,
    );
  }
}

async function putObjects(source: Source, { tenants }: Manifest, say: Report['say']): Promise<void> {
  const { sizeOfObject } = await import('#shared/storage/s3/objects.ts');
  const objects = await source.objects();
  const prefixes = tenants.flatMap(({ id }) => tenantPrefixes(id));
  const strange = objects.find(({ key }) => !prefixes.some(prefix => key.startsWith(prefix)));
  if (strange) throw new ImportRefused(`The object ${strange.key} belongs to nobody in the manifest.`);
  let put = 0;
  await mapConcurrently(objects, OBJECTS_AT_ONCE, async ({ key, sizeBytes }) => {
    // Keys are random: an object that has one, and the size, is of an earlier run.
    if ((await sizeOfObject(key)) !== sizeBytes) await source.putObject(key, sizeBytes);
    if (++put % 100 === 0) say(`${put} of ${objects.length} objects`);
  });
}

interface Context {
  manifest: Manifest;
  secrets: Secrets;
  /** Accounts that were here before, which only become members. */
  joined: ReadonlySet<string>;
}

async function importFile(source: Source, path: string, context: Context): Promise<void> {
  let chunk: string[] = [];
  const flush = async () => {
    await mapConcurrently(chunk, ITEMS_AT_ONCE, text => importLine(text, path, context));
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
    throw new ImportRefused(`${path} has a line that cannot be read: ${(error as Error).message}`);
  });
  const owner = ownerOf(item);
  if (!manifest.tenants.some(({ id }) => id === owner)) {
    throw new ImportRefused(
      `${path} has a line of ${owner}, which is not in the manifest. Do not import what you do not trust.`,
    );
  }
  if (joined.has(owner!)) {
    // Its tokens are its own: an export from elsewhere must not bring others.
    if (kind === 'account') await joinImported(item.id, manifest.workspaceId, item);
    return;
  }
  const existing = await importItem(item);
  if (!existing || (await lineOf(existing, secrets))?.text === text) return;
  // It came with an earlier import of a workspace that was deleted since.
  if (kind === 'account' && (await joinImported(item.id, manifest.workspaceId, item))) return;
  throw new ImportRefused(
    `There is another ${kind} ${item.pk} ${item.sk} here. An import never overwrites: delete it, or import into another installation.`,
  );
}

/** A bot, integration or package that is here belongs to somebody, to whom the export must add nothing. */
function requireFree({ tenants }: Manifest, known: ReadonlyMap<string, unknown>): void {
  const taken = tenants.find(({ kind, id }) => kind !== 'account' && known.has(id));
  if (!taken) return;
  throw new ImportRefused(
    `The ${taken.kind} ${taken.id} is here already. Delete it first, or import into another installation.`,
  );
}

/** One that this import made has no other membership. */
function joinedAccounts({ tenants, workspaceId }: Manifest, known: ReadonlyMap<string, Item>): Set<string> {
  const isJoined = ({ memberships }: Item) => Object.keys(memberships).some(id => id !== workspaceId);
  const isMade = (item: Item) => item[IMPORTED] !== undefined && !isJoined(item);
  const accounts = tenants.filter(({ kind, id }) => kind === 'account' && known.has(id));
  return new Set(accounts.map(({ id }) => id).filter(id => !isMade(known.get(id)!)));
}

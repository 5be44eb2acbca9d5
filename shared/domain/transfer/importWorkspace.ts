/**
 * An interrupted import can be repeated. Items with other content are never overwritten. The workspace is unreachable,
 * and no timer fires, until its members are imported at the end.
 */
import { createHash } from 'node:crypto';
import { clock } from '#shared/core/clock.ts';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { hashText } from '#shared/core/ids.ts';
import {
  claimImportedName,
  claimTenants,
  findImport,
  findTenantRecords,
  type Import,
  importItem,
  joinImported,
  recordImport,
  releaseTenants,
} from '#shared/storage/dynamodb/tenants/imports.ts';
import { ownerOf } from '#shared/storage/dynamodb/tenants/itemKinds.ts';
import { findWorkspace } from '#shared/storage/dynamodb/workspace/workspaces.ts';
import { exportedPrefixes } from '#shared/storage/s3/prefixes.ts';
import { Manifest, parseLinesFile, VERSION } from './format.ts';
import { lineOf, parseLine, storedItem } from './lines.ts';
import { faultOfTenants, requireOwnReferences } from './requireOwnReferences.ts';
import type { Secrets } from './secrets.ts';

export interface Source {
  manifest(): Promise<string>;
  files(): Promise<string[]>;
  lines(path: string): AsyncIterable<string>;
  objects(): Promise<{ key: string; sizeBytes: number }[]>;
  /** Returns false, without writing, if the key has an object. */
  putObject(key: string, sizeBytes: number): Promise<boolean>;
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
  const fault = faultOfTenants(parsed.data);
  if (fault !== undefined) {
    throw new ImportRejected(`The manifest of the export is invalid: ${fault}. Export the workspace again.`);
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
  const contentHash = await requireComplete(manifest, files, source, secrets);
  if (before?.contentHash !== undefined && before.contentHash !== contentHash) {
    throw new ImportRejected(
      'The files of the export changed since its import began. Restore them, or erase the workspace and import it anew.',
    );
  }
  const joined = await claim(manifest, before);
  const context = { manifest, secrets, joined: new Set(joined) };
  const state = { checksum, contentHash, joined };
  // Recorded before the first write, so that a repeated import does not mistake accounts that it created for existing
  // accounts.
  if (!before) await recordImport(workspaceId, { ...state, files: 0 });
  await putObjects(source, context, say);
  let done = before?.files ?? 0;
  for (const path of files.slice(done)) {
    await importFile(source, path, context);
    await recordImport(workspaceId, { ...state, files: ++done });
    say(`${done} of ${files.length} files: ${path}`);
  }
  await recordImport(workspaceId, { ...state, files: done, doneAtMs: clock.now() });
  await releaseTenants(idsOf(manifest), workspaceId);
  return true;
}

const idsOf = ({ tenants }: Manifest) => tenants.map(({ id }) => id);

/**
 * Claims the tenants that the import creates, and returns the accounts that already exist. Reads the tenants after the
 * claim, so that only one of two imports with the same tenant creates it.
 */
async function claim(manifest: Manifest, before: Import | undefined): Promise<string[]> {
  const { workspaceId } = manifest;
  const existing = before?.joined ?? existingAccounts(manifest, await findTenantRecords(manifest.tenants));
  const created = idsOf(manifest).filter(id => !existing.includes(id));
  const taken = await claimTenants(created, workspaceId);
  try {
    if (taken) {
      throw new ImportRejected(
        `${taken.id} is part of the unfinished import of ${taken.workspaceId}. Finish that import, or erase its workspace.`,
      );
    }
    const known = await findTenantRecords(manifest.tenants);
    requireFree(manifest, known, before !== undefined);
    return before?.joined ?? existingAccounts(manifest, known);
  } catch (error) {
    if (!before) await releaseTenants(created, workspaceId);
    throw error;
  }
}

function inOrder(paths: readonly string[]): string[] {
  const rank = (path: string) => LATE.indexOf(parseLinesFile(path)!.kind);
  return paths.filter(path => parseLinesFile(path)).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

/** Checks every line before the first write. Returns a hash of all lines. */
async function requireComplete(
  manifest: Manifest,
  files: readonly string[],
  source: Source,
  secrets: Secrets,
): Promise<string> {
  const counts: Record<string, number> = {};
  const hash = createHash('sha256');
  for (const path of files) {
    const { kind } = parseLinesFile(path)!;
    hash.update(`${path}\n`);
    for await (const line of source.lines(path)) {
      hash.update(`${line}\n`);
      await readLine(line, path, manifest, secrets);
      counts[kind] = (counts[kind] ?? 0) + 1;
    }
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
  return hash.digest('base64url');
}

async function putObjects(source: Source, { manifest, joined }: Context, say: Report['say']): Promise<void> {
  const { tenants } = manifest;
  const { sizeOfObject } = await import('#shared/storage/s3/objects.ts');
  const objects = await source.objects();
  const prefixes = tenants.flatMap(({ id }) => exportedPrefixes(id));
  const strange = objects.find(({ key }) => !prefixes.some(prefix => key.startsWith(prefix)));
  if (strange)
    throw new ImportRejected(
      `The object ${strange.key} belongs to no tenant in the manifest. Export the workspace again.`,
    );
  // Lines of existing accounts are not imported, so their objects are not either.
  const kept = [...joined].flatMap(exportedPrefixes);
  const wanted = objects.filter(({ key }) => !kept.some(prefix => key.startsWith(prefix)));
  let put = 0;
  await mapConcurrently(wanted, CONCURRENT_OBJECTS, async ({ key, sizeBytes }) => {
    // Keys are random: an object of the same key and size is from an earlier run.
    if (!(await source.putObject(key, sizeBytes)) && (await sizeOfObject(key)) !== sizeBytes) {
      throw new ImportRejected(`A different object ${key} already exists. Delete it, or import elsewhere.`);
    }
    if (++put % 100 === 0) say(`${put} of ${wanted.length} objects`);
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
  const line = await readLine(text, path, manifest, secrets);
  if (!line) return;
  const { kind, owner } = line;
  if (joined.has(owner)) {
    // Never import tokens for an existing account: the export may be forged.
    if (kind === 'account') await joinImported(owner, manifest.workspaceId, line.item);
    return;
  }
  if (kind === 'published' && !(await claimImportedName(line.item, manifest.workspaceId))) {
    throw new ImportRejected(
      `${path} publishes ${line.item.sk}, a name of another workspace. Withdraw it before the export.`,
    );
  }
  const existing = await importItem(await storedItem(kind, line.item));
  if (!existing || (await lineOf(existing, secrets))?.text === line.text) return;
  // The account is from an earlier import of a workspace that has since been deleted.
  if (kind === 'account' && (await joinImported(owner, manifest.workspaceId, line.item))) return;
  throw new ImportRejected(
    `A different ${kind} ${line.item.pk} ${line.item.sk} already exists. Delete it, or import into another installation.`,
  );
}

/**
 * @throws ImportRejected for a line that is invalid, in the file of another kind, or refers to data outside the export
 */
async function readLine(text: string, path: string, manifest: Manifest, secrets: Secrets) {
  try {
    const line = parseLine(text, secrets);
    if (!line) return undefined;
    const isOwn = await requireOwnReferences(line.kind, line.item, manifest);
    // The kinds of files determine the order of the import.
    if (parseLinesFile(path)!.kind !== line.kind) throw new Error(`it is a ${line.kind}`);
    return isOwn ? { ...line, owner: ownerOf(line.item)! } : undefined;
  } catch (error) {
    throw new ImportRejected(`${path} has an invalid line: ${(error as Error).message}. Export the workspace again.`);
  }
}

type Known = Awaited<ReturnType<typeof findTenantRecords>>;

/**
 * An import must not add data to the existing tenants of other workspaces. Only an account may already exist.
 * @param isRepeated permits the tenants of this import's earlier run
 */
function requireFree({ tenants }: Manifest, known: Known, isRepeated: boolean): void {
  const taken = tenants.find(({ kind, id }) =>
    (known.get(id) ?? []).some(found => found.kind !== kind || !(isRepeated || kind === 'account')),
  );
  if (!taken) return;
  throw new ImportRejected(
    `The ${taken.kind} ${taken.id} already exists. Delete it first, or import into another installation.`,
  );
}

const existingAccounts = ({ tenants }: Manifest, known: Known): string[] =>
  tenants.filter(({ kind, id }) => kind === 'account' && known.has(id)).map(({ id }) => id);

/**
 * The job of an export that a member asked for: an archive (.tar.gz) in the bucket, of the same files as
 * `npm run export` writes. It is put in parts, each a gzip member or several, and how far it is stands in the job's
 * record after each: a run that dies or has no time left is followed by one that goes on from there.
 */

import { gzipSync } from 'node:zlib';
import { clock } from '#shared/core/clock.ts';
import { loadValue, storeValue } from '#shared/storage/dynamodb/largeValue.ts';
import { changeExport, type Export, findExport } from '#shared/storage/dynamodb/tenants/exports.ts';
import { listTenants } from '#shared/storage/dynamodb/tenants/tenants.ts';
import { write } from '#shared/storage/dynamodb/transaction.ts';
import { enqueueTransfer } from '#shared/storage/queues/transfers.ts';
import {
  completeUpload,
  LEAST_PART_BYTES,
  type Part,
  putPart,
  readInParts,
  startUpload,
} from '#shared/storage/s3/multipart.ts';
import { sizeOfObject } from '#shared/storage/s3/objects.ts';
import { archiveObject } from '#shared/storage/s3/prefixes.ts';
import { exportParts, manifestOf, type Progress, startOf } from './exportWorkspace.ts';
import { MANIFEST, OBJECTS, type Sink } from './format.ts';
import { ARCHIVE_LIMIT_BYTES } from './limits.ts';
import { WITHHELD_SECRETS } from './secrets.ts';
import { TAR_END, tarHeader, tarPadding } from './tar.ts';

interface State {
  progress: Progress;
  uploadId: string;
  parts: Part[];
  /** All parts are put: only their upload is left to complete. */
  isWhole?: true;
}

/** Whoever may export sees what is in the workspace, and could not read its keys so far. */
const isLeftOut = (kind: string): boolean => kind === 'token';

/** @returns fields for the log */
export async function runExport(workspaceId: string, id: string, isTimeLeft: () => boolean) {
  const found = await findExport(workspaceId, id);
  // The workspace is gone, or a repetition of the job came late.
  if (!found || found.status === 'completed' || found.status === 'failed') return { outcome: 'superseded' };
  let job: Export = found;
  const key = archiveObject(workspaceId, id);
  let state = await stateOf(job, key);
  const archive = new Archive((body, index) => putPart(key, state.uploadId, state.parts.length + index + 1, body));
  const save = async () => {
    state = { ...state, parts: [...state.parts, ...(await archive.flush())] };
    const bytes = state.parts.reduce((sum, { size }) => sum + size, 0);
    if (bytes > ARCHIVE_LIMIT_BYTES) throw new TooLarge();
    job = await saveJob(job, { status: 'in_progress', ...counts(state.progress), bytes }, state);
  };
  if (!state.isWhole) {
    for await (const progress of exportParts(workspaceId, state.progress, WITHHELD_SECRETS, archive, isLeftOut)) {
      state = { ...state, progress };
      if (!archive.isFull) continue;
      await save();
      if (isTimeLeft()) continue;
      await enqueueTransfer({ task: 'export', workspaceId, position: id });
      return { outcome: 'unfinished', bytes: job.bytes };
    }
    await archive.manifest(manifestOf(workspaceId, state.progress, { mode: 'withheld' }, clock.now()));
    await archive.append(TAR_END);
    // A run that dies after this must not put another part: the upload may have been completed.
    state = { ...state, isWhole: true };
    await save();
  }
  await completeUpload(key, state.uploadId, state.parts);
  job = await saveJob(job, { status: 'completed' });
  return { outcome: 'completed', bytes: job.bytes };
}

/** Notes why an export did not come to its end. */
export async function failExport(workspaceId: string, id: string, error: unknown): Promise<void> {
  const job = await findExport(workspaceId, id);
  if (!job || job.status === 'completed' || job.status === 'failed') return;
  const reason =
    error instanceof TooLarge ? error.message : 'The platform failed at it several times. Its operator finds out why.';
  await saveJob(job, { status: 'failed', reason });
}

export class TooLarge extends Error {
  override readonly name = 'TooLarge';
  override readonly message =
    `An archive has at most ${ARCHIVE_LIMIT_BYTES / 1e9} GB. The operator exports larger workspaces with npm run export.`;
}

async function stateOf(job: Export, key: string): Promise<State> {
  if (job.p !== undefined || job.z !== undefined || job.o !== undefined) return (await loadValue(job)) as State;
  return { progress: startOf(await listTenants(job.workspaceId)), uploadId: await startUpload(key), parts: [] };
}

const counts = ({ kinds, objects }: Progress) => ({
  lines: Object.values(kinds).reduce((sum, count) => sum + count, 0),
  objects,
});

async function saveJob(job: Export, change: Partial<Export>, state?: State): Promise<Export> {
  const stored = state ? await storeValue(job.workspaceId, state) : {};
  const { after, writes } = changeExport(job, { ...change, ...stored }, clock.now());
  await write(writes);
  return after;
}

/** Gathers the bytes of an archive, and puts them as parts of an upload as soon as they are large enough. */
class Archive implements Sink {
  /** Less than a part. */
  #rest: Buffer[] = [];
  #restBytes = 0;
  /** A whole part, kept back: small remains join it, because only the last part of all may be small. */
  #held: Buffer | undefined;
  #put: Part[] = [];
  readonly #send: (body: Buffer, index: number) => Promise<Part>;

  /** @param send puts a part, the index of which counts from the last {@link flush} */
  constructor(send: (body: Buffer, index: number) => Promise<Part>) {
    this.#send = send;
  }

  /** Whether there is enough for a part. */
  get isFull(): boolean {
    return this.#held !== undefined;
  }

  async append(...bytes: readonly Buffer[]): Promise<void> {
    const member = gzipSync(Buffer.concat(bytes));
    this.#rest.push(member);
    this.#restBytes += member.length;
    if (this.#restBytes < LEAST_PART_BYTES) return;
    const whole = this.#takeRest();
    if (this.#held) await this.#sendNext(this.#held);
    this.#held = whole;
  }

  async lines(path: string, text: string): Promise<void> {
    const content = Buffer.from(text);
    await this.append(tarHeader(path, content.length), content, tarPadding(content.length));
  }

  manifest(text: string): Promise<void> {
    return this.lines(MANIFEST, text);
  }

  async object(key: string): Promise<boolean> {
    const size = await sizeOfObject(key);
    if (size === undefined) return false;
    await this.append(tarHeader(`${OBJECTS}${key}`, size));
    for await (const chunk of readInParts(key, size)) await this.append(chunk);
    await this.append(tarPadding(size));
    return true;
  }

  /** Puts what is left. @returns all parts since the last time */
  async flush(): Promise<Part[]> {
    const last = Buffer.concat([this.#held ?? Buffer.alloc(0), this.#takeRest()]);
    this.#held = undefined;
    if (last.length > 0) await this.#sendNext(last);
    return this.#put.splice(0);
  }

  async #sendNext(body: Buffer): Promise<void> {
    this.#put.push(await this.#send(body, this.#put.length));
  }

  #takeRest(): Buffer {
    this.#restBytes = 0;
    return Buffer.concat(this.#rest.splice(0));
  }
}

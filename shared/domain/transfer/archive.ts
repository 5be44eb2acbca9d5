/** Exports a workspace to the bucket. The job records the progress after each part, so a later run resumes. */
import { gzipSync } from 'node:zlib';
import { clock } from '#shared/core/clock.ts';
import { loadValue, storeValue } from '#shared/storage/dynamodb/engine/largeValue.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { changeExport, type Export, findExport } from '#shared/storage/dynamodb/tenants/exports.ts';
import { listTenants } from '#shared/storage/dynamodb/tenants/tenants.ts';
import { enqueueTransfer } from '#shared/storage/queues/transferJobs.ts';
import {
  completeUpload,
  MIN_PART_BYTES,
  type Part,
  putPart,
  readInParts,
  startUpload,
} from '#shared/storage/s3/multipart.ts';
import { sizeOfObject } from '#shared/storage/s3/objects.ts';
import { archiveObject } from '#shared/storage/s3/prefixes.ts';
import { exportParts, manifestOf, type Progress, startOf } from './exportWorkspace.ts';
import { MANIFEST, OBJECTS, type Sink } from './format.ts';
import { WITHHELD_SECRETS } from './secrets.ts';
import { TAR_END, tarHeader, tarPadding } from './tar.ts';

/** Limit of member exports (docs/export.md#archives). Operator exports have none. */
const ARCHIVE_LIMIT_BYTES = 50e9;

interface State {
  progress: Progress;
  uploadId: string;
  parts: Part[];
  /** True if all parts are uploaded and only the completion is missing. */
  isWhole?: true;
}

/** Excludes tokens, which members who may export cannot otherwise read. */
const isLeftOut = (kind: string): boolean => kind === 'token';

export async function runExport(workspaceId: string, id: string, isTimeLeft: () => boolean) {
  const found = await findExport(workspaceId, id);
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
    // From here on, the upload may be complete despite a crash, so no run may upload another part.
    state = { ...state, isWhole: true };
    await save();
  }
  await completeUpload(key, state.uploadId, state.parts);
  job = await saveJob(job, { status: 'completed' });
  return { outcome: 'completed', bytes: job.bytes };
}

export async function failExport(workspaceId: string, id: string, error: unknown): Promise<void> {
  const job = await findExport(workspaceId, id);
  if (!job || job.status === 'completed' || job.status === 'failed') return;
  const reason =
    error instanceof TooLarge
      ? error.message
      : 'The export failed repeatedly because of a fault on our side. Contact the operator.';
  await saveJob(job, { status: 'failed', reason });
}

export class TooLarge extends Error {
  override readonly name = 'TooLarge';
  override readonly message =
    `The archive exceeds ${ARCHIVE_LIMIT_BYTES / 1e9} GB. Ask the operator to export the workspace with npm run export.`;
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

class Archive implements Sink {
  #rest: Buffer[] = [];
  #restBytes = 0;
  /** A whole part held back to absorb a small remainder: only the last part of an upload may be small. */
  #held: Buffer | undefined;
  #put: Part[] = [];
  readonly #send: (body: Buffer, index: number) => Promise<Part>;

  constructor(send: (body: Buffer, index: number) => Promise<Part>) {
    this.#send = send;
  }

  get isFull(): boolean {
    return this.#held !== undefined;
  }

  async append(...bytes: readonly Buffer[]): Promise<void> {
    const member = gzipSync(Buffer.concat(bytes));
    this.#rest.push(member);
    this.#restBytes += member.length;
    if (this.#restBytes < MIN_PART_BYTES) return;
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

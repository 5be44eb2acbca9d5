/**
 * Indexes a file in idempotent steps: writes passages, embeds them and stores the vectors under the indexing's id, then
 * refers the file's record to it. Search ignores unreferenced indexings. A superseded indexing removes its data. When
 * the time is up, the next invocation continues.
 */

import { isDeepStrictEqual } from 'node:util';
import type { Embedder } from '#shared/ai/embedder.ts';
import { chooseEmbedder } from '#shared/ai/embedders/chooseEmbedder.ts';
import { type ReadFile, readPassages } from '#shared/ai/extraction/readPassages.ts';
import { putTerms } from '#shared/ai/search/keywordIndex.ts';
import { chooseVectorStore } from '#shared/ai/vectorStores/chooseVectorStore.ts';
import { clock } from '#shared/core/clock.ts';
import { chunksOf } from '#shared/core/concurrency.ts';
import type { EmbeddingProgress } from '#shared/core/embeddingProgress.ts';
import { ApiError } from '#shared/core/errors.ts';
import { errorFields, log } from '#shared/core/log.ts';
import { type Passage, UnreadableFileError } from '#shared/core/passage.ts';
import { indexingCompleted, indexingFailed } from '#shared/domain/fileRecords/status.ts';
import { embedPassages } from '#shared/domain/spend/embed.ts';
import { findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { retryConflicts, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import type { File, FileDraft } from '#shared/storage/dynamodb/files/file.ts';
import { advanceFile, findFile } from '#shared/storage/dynamodb/files/files.ts';
import { allPassages, passageName, putPassages } from '#shared/storage/dynamodb/files/passages.ts';
import { QUEUES } from '#shared/storage/queues/queueSettings.ts';
import { dropIndexing, dropPassages, type Indexing, removeVectors } from './dropIndexing.ts';
import { settingsOf, textsToEmbed } from './indexingConfiguration.ts';
import { searchIndexOf } from './searchIndex.ts';

const EMBED_BATCH = 96;
/** Limit of the child process that reads the file, which the function also holds. */
const READING_MEMORY_MB = 1_800;
const READING_SHARE = 0.4;
/** Maximum time for a batch in progress: the local embedder takes up to a second for a long text. */
const BATCH_RESERVE_MS = 100_000;
const FLOAT_BYTES = 4;

export type IndexingOutcome = 'completed' | 'failed' | 'superseded' | Unfinished;

interface Unfinished {
  progress: EmbeddingProgress;
  /** Parts that the extraction did not read. The next run does not extract again. */
  unread: string[];
}

interface Run extends Partial<Unfinished> {
  attempt: number;
  timeMs: number;
}

/**
 * Rethrows failures of the platform for a retry, except in the last `attempt`.
 * @returns the progress if the time is up before the end: continue with it
 */
export async function indexFile(
  job: Indexing,
  { attempt, timeMs, progress, unread = [] }: Run,
): Promise<IndexingOutcome> {
  const { botId, fileId, indexingId } = job;
  const untilMs = clock.now() + timeMs - BATCH_RESERVE_MS;
  const file = await findFile(botId, fileId);
  if (file?.indexed?.id === indexingId) return 'completed';
  let passages: Passage[] = [];
  try {
    if (file?.indexing?.id === indexingId) {
      if (progress) passages = await loadPassages(botId, fileId, indexingId);
      else ({ passages, unread } = await passagesToIndex(botId, file, timeMs * READING_SHARE));
      const embed = await embeddingFor(botId);
      const isTimeLeft = () => clock.now() < untilMs;
      const isCurrent = async () => (await findFile(botId, fileId))?.indexing?.id === indexingId;
      const put = await putIntoIndex(job, file, passages, { embed, progress, isTimeLeft, isCurrent });
      if (put === 'superseded') return await endSuperseded(job, passages);
      if ('progress' in put) return { ...put, unread };
      const incomplete = unread.length > 0 ? { unread } : {};
      const indexed = { id: indexingId, passages: passages.length, ...put, ...incomplete };
      const result = await record(job, current => indexingCompleted(current, indexed));
      if (result !== 'superseded') return 'completed';
    }
    return await endSuperseded(job, passages);
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined && attempt < QUEUES.indexing.maxReceives) throw error;
    // A cause is the output of a crashed process, possibly from a bug of the platform.
    const isOurs = reason === undefined || (error instanceof UnreadableFileError && error.cause !== undefined);
    if (isOurs) log.error('A file could not be indexed.', { ...job, error: errorFields(error) });
    const shown = reason ?? 'Indexing was temporarily unavailable. Upload the file again.';
    const result = await record(job, current => indexingFailed(current, shown));
    // A duplicate of the job succeeded, and search uses its passages.
    if (result === 'done') return 'completed';
    await dropAttempts(job, passages);
    return result === 'written' ? 'failed' : 'superseded';
  }
}

/** Returns `completed` if a duplicate of the job indexed the file, whose search uses the passages. */
async function endSuperseded(job: Indexing, passages: readonly Passage[]): Promise<IndexingOutcome> {
  const file = await findFile(job.botId, job.fileId);
  if (file?.indexed?.id === job.indexingId) return 'completed';
  await dropAttempts(job, passages);
  return 'superseded';
}

async function dropAttempts(job: Indexing, passages: readonly Passage[]): Promise<void> {
  await dropPassages(job, passages);
  await dropIndexing(job, () => true);
}

/** Returns a reason that the file's owner can act on; undefined for failures of the platform. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof UnreadableFileError) return error.message;
  if (error instanceof ApiError && error.type === 'QuotaExceeded') {
    if (error.metadata?.type === 'ai_spend') return `${error.message} Then upload the file again.`;
    return "The workspace's quota of indexed files or vector storage is exhausted.";
  }
  return undefined;
}

async function loadPassages(botId: string, fileId: string, indexingId: string): Promise<Passage[]> {
  const passages: Passage[] = [];
  for await (const { number: _, ...passage } of allPassages(botId, fileId, indexingId)) passages.push(passage);
  return passages;
}

/** Returns the caller's passages, or extracts and stores those of the content. */
async function passagesToIndex(botId: string, file: File, timeoutMs: number): Promise<ReadFile> {
  const indexingId = file.indexing!.id;
  if (file.indexing!.isGiven) return { passages: await loadPassages(botId, file.id, indexingId), unread: [] };
  const { object, contentType } = file.content!;
  const { getObject, isMissing } = await import('#shared/storage/s3/objects.ts');
  const bytes = await getObject(object).catch(error => {
    throw isMissing(error) ? new UnreadableFileError("The file's content was deleted. Upload it again.") : error;
  });
  const { passages, unread } = await readPassages(
    bytes,
    { contentType, key: file.key, settings: settingsOf(file) },
    { timeoutMs, memoryMb: READING_MEMORY_MB },
  );
  // An earlier attempt has other passages if the configuration changed.
  const earlier = await loadPassages(botId, file.id, indexingId);
  if (!isDeepStrictEqual(earlier, passages.slice(0, earlier.length))) {
    await dropIndexing({ botId, fileId: file.id, indexingId }, () => true);
  }
  await putPassages(botId, file.id, indexingId, passages);
  return { passages, unread };
}

type Embed = (embedder: Embedder, texts: readonly string[]) => ReturnType<Embedder['embed']>;

async function embeddingFor(botId: string): Promise<Embed> {
  const bot = await findBot(botId);
  if (!bot) throw new UnreadableFileError('The bot was deleted.');
  return (embedder, texts) => embedPassages({ workspaceId: bot.workspaceId, botId }, embedder, texts);
}

interface Embedding {
  embed: Embed;
  progress?: EmbeddingProgress | undefined;
  isTimeLeft(): boolean;
  /** False once the file was deleted or replaced: more passages would cost money and be dropped. */
  isCurrent(): Promise<boolean>;
}

interface Vectors {
  vectorBytes: number;
  space: string;
}

/** Puts at least one batch. @returns the progress if the time is up, and `superseded` if the file has changed */
async function putIntoIndex(
  { botId, fileId, indexingId }: Indexing,
  file: File,
  passages: readonly Passage[],
  { embed, progress, isTimeLeft, isCurrent }: Embedding,
): Promise<Vectors | { progress: EmbeddingProgress } | 'superseded'> {
  const [embedder, store] = await Promise.all([chooseEmbedder(), chooseVectorStore()]);
  const index = searchIndexOf(botId, embedder);
  const done = progress?.space === embedder.id ? { ...progress } : { space: embedder.id, passages: 0, vectors: 0 };
  for (const [batch, texts] of chunksOf(textsToEmbed(file, passages).slice(done.passages), EMBED_BATCH).entries()) {
    if (batch > 0 && !(await isCurrent())) return 'superseded';
    const vectors = await embed(embedder, texts);
    const stored = vectors.flatMap((vector, i) => {
      const key = passageName({ fileId, indexingId, number: done.passages + i });
      return vector ? [{ key, vector, group: fileId }] : [];
    });
    // If the index is full, the file is searchable by keyword only.
    if (stored.length > 0 && !(await store.put(index, stored))) break;
    done.passages += texts.length;
    done.vectors += stored.length;
    if (!isTimeLeft()) return { progress: done };
  }
  const contents = passages.map(({ content }) => content);
  await putTerms(botId, fileId, indexingId, contents);
  return { vectorBytes: done.vectors * embedder.dimensions * FLOAT_BYTES, space: embedder.id };
}

/**
 * Rebuilds the index of a file from its stored passages, after an import or for another embedder, at the operator's
 * expense. Idempotent.
 * @returns the progress if the time is up before the end: continue with it
 */
export async function rebuildFileIndex(
  botId: string,
  file: File,
  run: Omit<Embedding, 'embed' | 'isCurrent'>,
): Promise<EmbeddingProgress | undefined> {
  const indexing = { botId, fileId: file.id, indexingId: file.indexed!.id };
  const passages = await loadPassages(botId, file.id, indexing.indexingId);
  const embed: Embed = (embedder, texts) => embedder.embed(texts, 'passage', botId);
  const isCurrent = async () => (await findFile(botId, file.id))?.indexed?.id === indexing.indexingId;
  const put = await putIntoIndex(indexing, file, passages, { ...run, embed, isCurrent });
  if (put !== 'superseded' && 'progress' in put) return put.progress;
  // The file has been changed or deleted meanwhile, and its indexing may already be dropped.
  const isRecorded = put !== 'superseded' && (await recordWithinQuota(indexing, passages, put));
  if (!isRecorded) await dropPassages(indexing, passages);
  return undefined;
}

/** Removes the vectors if they exceed the quota. The file is then searchable by keyword only. */
async function recordWithinQuota(indexing: Indexing, passages: readonly Passage[], vectors: Vectors): Promise<boolean> {
  try {
    return await recordAgain(indexing, vectors);
  } catch (error) {
    if (!(error instanceof ApiError && error.type === 'QuotaExceeded')) throw error;
    log.error("The vectors of a file exceed the workspace's quota of vector storage.", { ...indexing });
    await removeVectors(indexing, [...passages.keys()]);
    return recordAgain(indexing, { ...vectors, vectorBytes: 0 });
  }
}

const recordAgain = ({ botId, fileId, indexingId }: Indexing, vectors: Vectors): Promise<boolean> =>
  retryConflicts(async () => {
    const [bot, file] = await Promise.all([findBot(botId), findFile(botId, fileId)]);
    if (!bot || bot.deletedAtMs !== undefined || file?.indexed?.id !== indexingId) return false;
    const indexed = { ...file.indexed, ...vectors };
    if (isDeepStrictEqual(indexed, file.indexed)) return true;
    const { writes } = await advanceFile(bot, file, { ...file, indexed }, clock.now());
    await write(writes);
    return true;
  });

/** Records a pending outcome. Returns `done` if a duplicate of the job indexed the file. */
const record = (
  { botId, fileId, indexingId }: Indexing,
  change: (file: File) => FileDraft,
): Promise<'written' | 'done' | 'superseded'> =>
  retryConflicts(async () => {
    const [bot, file] = await Promise.all([findBot(botId), findFile(botId, fileId)]);
    if (!bot || bot.deletedAtMs !== undefined) return 'superseded';
    if (file?.indexed?.id === indexingId) return 'done';
    if (file?.indexing?.id !== indexingId) return 'superseded';
    const { writes } = await advanceFile(bot, file, change(file), clock.now());
    await write(writes);
    return 'written';
  });

/**
 * Indexes a file in idempotent steps: writes passages, embeds them and stores the vectors under the indexing's id, then
 * refers the file's record to it. Search ignores unreferenced indexings. A superseded indexing removes its data.
 */

import { isDeepStrictEqual } from 'node:util';
import { chooseEmbedder } from '#shared/ai/chooseEmbedder.ts';
import { chooseVectorStore } from '#shared/ai/chooseVectorStore.ts';
import type { Embedder } from '#shared/ai/embedder.ts';
import { readPassages } from '#shared/ai/extraction/readPassages.ts';
import { putTerms } from '#shared/ai/search/keywordIndex.ts';
import { clock } from '#shared/core/clock.ts';
import { chunksOf } from '#shared/core/concurrency.ts';
import { ApiError } from '#shared/core/errors.ts';
import { errorFields, log } from '#shared/core/log.ts';
import { type Passage, UnreadableFileError } from '#shared/core/passage.ts';
import { indexingCompleted, indexingFailed } from '#shared/domain/fileRecords/status.ts';
import { embedPassages } from '#shared/domain/spend/embed.ts';
import { findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import type { File, FileDraft } from '#shared/storage/dynamodb/files/file.ts';
import { advanceFile, findFile } from '#shared/storage/dynamodb/files/files.ts';
import { allPassages, passageName, putPassages } from '#shared/storage/dynamodb/files/passages.ts';
import { retryConflicts, write } from '#shared/storage/dynamodb/transaction.ts';
import { QUEUES } from '#shared/storage/queues/settings.ts';
import { dropIndexing, dropPassages, type Indexing } from './dropIndexing.ts';
import { settingsOf, textsToEmbed } from './indexingConfiguration.ts';
import { searchIndexOf } from './searchIndex.ts';

const EMBEDDED_AT_ONCE = 96;
/** Limit of the child process that reads the file, which the function also holds. */
const READING_MEMORY_MB = 1_800;
const READING_SHARE = 0.4;
const FLOAT_BYTES = 4;

export type IndexingOutcome = 'completed' | 'failed' | 'superseded';

/** Rethrows failures of the platform for a retry, except in the last `attempt` (from 1). */
export async function indexFile(
  job: Indexing,
  { attempt, timeMs }: { attempt: number; timeMs: number },
): Promise<IndexingOutcome> {
  const { botId, fileId, indexingId } = job;
  const file = await findFile(botId, fileId);
  if (file?.indexed?.id === indexingId) return 'completed';
  let passages: Passage[] = [];
  try {
    if (file?.indexing?.id === indexingId) {
      passages = await passagesToIndex(botId, file, timeMs * READING_SHARE);
      const { vectorBytes } = await putIntoIndex(job, file, passages, await embeddingFor(botId));
      const indexed = { id: indexingId, passages: passages.length, vectorBytes };
      const result = await record(job, current => indexingCompleted(current, indexed));
      if (result !== 'superseded') return 'completed';
    }
    await dropAttempts(job, passages);
    return 'superseded';
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
async function passagesToIndex(botId: string, file: File, timeoutMs: number): Promise<Passage[]> {
  const indexingId = file.indexing!.id;
  if (file.indexing!.isGiven) return loadPassages(botId, file.id, indexingId);
  const { object, contentType } = file.content!;
  const { getObject, isMissing } = await import('#shared/storage/s3/objects.ts');
  const bytes = await getObject(object).catch(error => {
    throw isMissing(error) ? new UnreadableFileError("The file's content was deleted. Upload it again.") : error;
  });
  const passages = await readPassages(
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
  return passages;
}

type Embed = (embedder: Embedder, texts: readonly string[]) => ReturnType<Embedder['embed']>;

async function embeddingFor(botId: string): Promise<Embed> {
  const bot = await findBot(botId);
  if (!bot) throw new UnreadableFileError('The bot was deleted.');
  return (embedder, texts) => embedPassages({ workspaceId: bot.workspaceId, botId }, embedder, texts);
}

async function putIntoIndex(
  { botId, fileId, indexingId }: Indexing,
  file: File,
  passages: readonly Passage[],
  embed: Embed,
) {
  const [embedder, store] = await Promise.all([chooseEmbedder(), chooseVectorStore()]);
  const index = searchIndexOf(botId, embedder);
  let number = 0;
  let vectorCount = 0;
  for (const texts of chunksOf(textsToEmbed(file, passages), EMBEDDED_AT_ONCE)) {
    const vectors = await embed(embedder, texts);
    const stored = vectors.flatMap(vector => {
      const key = passageName({ fileId, indexingId, number: number++ });
      return vector ? [{ key, vector, group: fileId }] : [];
    });
    if (stored.length === 0) continue;
    // Without space in the index, only keywords find the file.
    if (!(await store.put(index, stored))) break;
    vectorCount += stored.length;
  }
  const contents = passages.map(({ content }) => content);
  await putTerms(botId, fileId, indexingId, contents);
  return { vectorBytes: vectorCount * embedder.dimensions * FLOAT_BYTES };
}

/** Rebuilds the index of a file from its stored passages after an import, at the operator's expense. Idempotent. */
export async function rebuildFileIndex(botId: string, file: File): Promise<void> {
  const indexing = { botId, fileId: file.id, indexingId: file.indexed!.id };
  await putIntoIndex(indexing, file, await loadPassages(botId, file.id, indexing.indexingId), (embedder, texts) =>
    embedder.embed(texts, 'passage'),
  );
}

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

/**
 * Indexing a file, in steps that can all be repeated: its passages are written, embedded and put into the index under the
 * id of this indexing, and then the file's record says that they are what is searched. Until then nobody sees them, and
 * whoever comes too late takes his own away again. However it ends, it is written down with its reason.
 */
import { isDeepStrictEqual } from 'node:util';
import { chooseEmbedder } from '#shared/ai/chooseEmbedder.ts';
import { chooseVectorStore } from '#shared/ai/chooseVectorStore.ts';
import { dropIndexing, dropOwn, type Indexing } from '#shared/cleanup/dropIndexing.ts';
import { changeFile, type File, findFile } from '#shared/dynamodb/files/files.ts';
import { allPassages, passageName, putPassages } from '#shared/dynamodb/files/passages.ts';
import { retryConflicts, write } from '#shared/dynamodb/transaction.ts';
import { findBot } from '#shared/dynamodb/workspace/bots.ts';
import { ApiError } from '#shared/errors.ts';
import { readPassages } from '#shared/extraction/readPassages.ts';
import { type Changed, indexingDone, indexingFailed } from '#shared/fileRecords/status.ts';
import { errorFields, log } from '#shared/log.ts';
import { type IndexingSettings, type Passage, UnreadableFileError } from '#shared/passage.ts';
import { putTerms } from '#shared/search/keywordIndex.ts';
import { searchIndexOf } from './searchIndex.ts';

/** So often it is tried, when what it needs is away or overloaded. */
export const INDEXING_ATTEMPTS = 4;
const CONFLICT_ATTEMPTS = 20;

const EMBEDDED_AT_ONCE = 96;
/** Of the process that reads the file; the function itself holds it too. */
const READING_MEMORY_MB = 1_800;
/** What is left of the time is for embedding. */
const READING_SHARE = 0.4;
const FLOAT_BYTES = 4;

export type IndexingOutcome = 'completed' | 'failed' | 'superseded';

/**
 * @param attempt from 1: what fails for no fault of the file is thrown, to be tried again, unless it is the last
 * @param timeMs for all of it
 */
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
      const { vectorBytes } = await putIntoIndex(job, file, passages);
      const indexed = { id: indexingId, passages: passages.length, vectorBytes };
      const end = await settle(job, current => indexingDone(current, indexed));
      if (end !== 'superseded') return 'completed';
    }
    // Somebody changed or deleted the file meanwhile: what was made of it here goes again.
    await takeBack(job, passages);
    return 'superseded';
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined && attempt < INDEXING_ATTEMPTS) throw error;
    // What is said of a process that crashed is in the cause: it may be a fault of ours.
    const isOurs = reason === undefined || (error instanceof UnreadableFileError && error.cause !== undefined);
    if (isOurs) log.error('A file could not be indexed.', { ...job, error: errorFields(error) });
    const logMessages = reason ?? 'The services that index files did not work for a while. Upload the file again.';
    const end = await settle(job, current => indexingFailed(current, logMessages));
    // Told of twice, it may have been done by the other one: then what is there is what is searched.
    if (end === 'done') return 'completed';
    await takeBack(job, passages);
    return end === 'written' ? 'failed' : 'superseded';
  }
}

/** All that this attempt made, and those before it. */
async function takeBack(job: Indexing, passages: readonly Passage[]): Promise<void> {
  await dropOwn(job, passages);
  await dropIndexing(job, () => true);
}

/** What the owner of the file can do something about; undefined for what is our own to deal with. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof UnreadableFileError) return error.message;
  if (error instanceof ApiError && error.type === 'QuotaExceeded') {
    return 'The workspace has no room for this file in its index: a quota is used up.';
  }
  return undefined;
}

async function kept(botId: string, fileId: string, indexingId: string): Promise<Passage[]> {
  const passages: Passage[] = [];
  for await (const { number: _, ...passage } of allPassages(botId, fileId, indexingId)) passages.push(passage);
  return passages;
}

/** Those that were given, or what stands in the content. */
async function passagesToIndex(botId: string, file: File, timeoutMs: number): Promise<Passage[]> {
  const indexingId = file.indexing!.id;
  if (file.indexing!.isGiven) return kept(botId, file.id, indexingId);
  const { object, contentType } = file.content!;
  const { getObject, isMissing } = await import('#shared/s3/objects.ts');
  const bytes = await getObject(object).catch(error => {
    throw isMissing(error) ? new UnreadableFileError('The content of the file is gone. Upload it again.') : error;
  });
  const settings = settingsOf(file);
  const passages = await readPassages(
    bytes,
    { contentType, key: file.key, settings },
    { timeoutMs, memoryMb: READING_MEMORY_MB },
  );
  // An attempt before this one made others, if the file was configured otherwise then.
  const before = await kept(botId, file.id, indexingId);
  if (!isDeepStrictEqual(before, passages.slice(0, before.length))) {
    await dropIndexing({ botId, fileId: file.id, indexingId }, () => true);
  }
  await putPassages(botId, file.id, indexingId, passages);
  return passages;
}

interface Configuration {
  parsing?: { minimumParagraphLength?: number };
  chunking?: { maximumChunkLength?: number; embeddedContextLevels?: number; embedBreadcrumb?: boolean };
}
const configurationOf = ({ configuration }: File): Configuration => JSON.parse(configuration ?? '{}');

/** The defaults are those with which `npm run bench -- retrieval` has the best recall. */
const settingsOf = (file: File): IndexingSettings => {
  const { parsing, chunking } = configurationOf(file);
  return {
    minimumParagraphLength: parsing?.minimumParagraphLength ?? 100,
    maximumChunkLength: chunking?.maximumChunkLength ?? 1_000,
  };
};

async function putIntoIndex({ botId, fileId, indexingId }: Indexing, file: File, passages: readonly Passage[]) {
  const [embedder, store] = await Promise.all([chooseEmbedder(), chooseVectorStore()]);
  const index = searchIndexOf(botId, embedder);
  const texts = textsToEmbed(file, passages);
  for (let i = 0; i < texts.length; i += EMBEDDED_AT_ONCE) {
    const vectors = await embedder.embed(texts.slice(i, i + EMBEDDED_AT_ONCE), 'passage');
    const named = vectors.map((vector, j) => ({
      key: passageName({ fileId, indexingId, number: i + j }),
      vector,
      group: fileId,
    }));
    await store.put(index, named);
  }
  await putTerms(
    botId,
    fileId,
    indexingId,
    passages.map(({ content }) => content),
  );
  return { vectorBytes: passages.length * embedder.dimensions * FLOAT_BYTES };
}

/** What stands above and around a passage tells what it is about. */
function textsToEmbed(file: File, passages: readonly Passage[]): string[] {
  const { embedBreadcrumb = true, embeddedContextLevels = 0 } = configurationOf(file).chunking ?? {};
  return passages.map(({ breadcrumb }, i) => {
    const around = passages.slice(Math.max(0, i - embeddedContextLevels), i + embeddedContextLevels + 1);
    const above = embedBreadcrumb && breadcrumb.length > 0 ? [breadcrumb.join(' > ')] : [];
    return [...above, ...around.map(({ content }) => content)].join('\n');
  });
}

/** Writes down how it ended, if it is still asked for. @returns `done` if somebody else has indexed it already */
const settle = (
  { botId, fileId, indexingId }: Indexing,
  change: (file: File) => Changed,
): Promise<'written' | 'done' | 'superseded'> =>
  retryConflicts(CONFLICT_ATTEMPTS, async () => {
    const [bot, file] = await Promise.all([findBot(botId), findFile(botId, fileId)]);
    if (!bot || bot.deletedAtMs !== undefined) return 'superseded';
    if (file?.indexed?.id === indexingId) return 'done';
    if (file?.indexing?.id !== indexingId) return 'superseded';
    const { writes } = await changeFile(bot, file, change(file), Date.now());
    await write(writes);
    return 'written';
  });

/** Accesses internals of files: items, vectors, objects, timers and queued jobs. */
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import type { SQSRecord } from 'aws-lambda';
import { vi } from 'vitest';
import { indexFile } from '#functions/events/indexFile.ts';
import { receiveUpload } from '#functions/events/receiveUpload.ts';
import { lambdaContext } from '#infra/local/runtime/lambdaContext.ts';
import { chooseEmbedder } from '#shared/ai/embedders/chooseEmbedder.ts';
import { chooseVectorStore } from '#shared/ai/vectorStores/chooseVectorStore.ts';
import { environment } from '#shared/core/environment.ts';
import { searchIndexOf } from '#shared/domain/files/searchIndex.ts';
import { readItem } from '#shared/storage/dynamodb/engine/query.ts';
import type { File } from '#shared/storage/dynamodb/files/file.ts';
import { findFile } from '#shared/storage/dynamodb/files/files.ts';
import { fileIndexingKey, fileKey, uploadsKey } from '#shared/storage/dynamodb/keys/files.ts';
import { timerKey } from '#shared/storage/dynamodb/keys/timers.ts';
import { Timer } from '#shared/storage/dynamodb/timers/timers.ts';
import { uploadsTimerMs } from '#shared/storage/dynamodb/timers/uploadTimers.ts';
import { putObject, s3 } from '#shared/storage/s3/objects.ts';
import { filePrefix, uploadPrefix } from '#shared/storage/s3/prefixes.ts';
import { fireTimer, handlerOf } from './inRoles.ts';
import type { AdminClient } from './platform.ts';
import { scanItems } from './tableItems.ts';

export const recordOf = async (botId: string, fileId: string): Promise<File> => (await findFile(botId, fileId))!;

/** Sends S3's event of created objects to the consumer. */
export const notifyOfObjects = (...objects: { key: string; size?: number }[]) =>
  notifyOfBodies({ Records: objects.map(object => ({ eventName: 'ObjectCreated:Put', s3: { object } })) });
/** Uploads bytes to an upload's object, and sends the event. */
export async function arriveUpload(key: string, size: number) {
  await putObject(key, Buffer.alloc(size));
  await notifyOfObjects({ key });
}
export const notifyOfBodies = (...bodies: object[]) =>
  handleUpload(
    { Records: bodies.map(body => ({ body: JSON.stringify(body) }) as SQSRecord) },
    inContext('receiveUpload'),
  );
const handleUpload = handlerOf(receiveUpload);
const inContext = (name: string) => lambdaContext(name, 900_000);

/** Drops S3's events, so that only {@link notifyOfObjects} reports uploads. @returns the number of dropped events */
export function muteUploadEvents(): () => number {
  const missed = vi.spyOn(receiveUpload, 'handle').mockResolvedValue();
  return () => missed.mock.calls.length;
}

const index = handlerOf(indexFile);

/** Holds indexing jobs back. @returns the held jobs */
export function holdIndexing(): SQSRecord[] {
  const held: SQSRecord[] = [];
  vi.spyOn(indexFile, 'handle').mockImplementation(async ({ Records }) => void held.push(...Records));
  return held;
}

/** Runs a held job. @param attempt counted from 1 */
export const runIndexing = (job: SQSRecord, attempt = 1, timeMs = 900_000) =>
  index(
    { Records: [{ ...job, attributes: { ...job.attributes, ApproximateReceiveCount: String(attempt) } }] },
    lambdaContext('indexFile', timeMs),
  );

const TIMER_SUBJECTS = { expiry: fileKey, indexing: fileIndexingKey };

export async function findFileTimer(
  botId: string,
  fileId: string,
  what: keyof typeof TIMER_SUBJECTS,
): Promise<Timer | undefined> {
  const item = await readItem(timerKey(TIMER_SUBJECTS[what](botId, fileId)));
  return item && Timer.parse(item);
}

/** Fires a file's timer, with the clock at the time it is due. */
export async function fireFileTimer(botId: string, fileId: string, what: keyof typeof TIMER_SUBJECTS) {
  const due = await findFileTimer(botId, fileId, what);
  return fireTimer(due!, due!.dueMs);
}

/** Returns the timer of a file's pending upload, which it shares with others. */
export async function findUploadsTimer(botId: string, fileId: string): Promise<Timer> {
  const { pending } = await recordOf(botId, fileId);
  return Timer.parse(await readItem(timerKey(uploadsKey(botId, uploadsTimerMs(pending!.untilMs)))));
}

/** Fires that timer, with the clock at the time it is due. */
export async function fireUploadsTimer(botId: string, fileId: string) {
  const due = await findUploadsTimer(botId, fileId);
  return fireTimer(due, due.dueMs);
}

/** Returns the keys of a bot's file objects, contents and uploads. */
export async function objectsOf(botId: string, fileId = ''): Promise<string[]> {
  const pages = await Promise.all(
    [filePrefix(botId), uploadPrefix(botId)].map(prefix =>
      s3.send(new ListObjectsV2Command({ Bucket: environment.bucketName, Prefix: `${prefix}${fileId}` })),
    ),
  );
  return pages.flatMap(({ Contents = [] }) => Contents.map(({ Key }) => Key!));
}

/** Returns the keys of a file's vectors, at most 100. */
export async function vectorsOf(botId: string, fileId?: string): Promise<string[]> {
  const [embedder, store] = await Promise.all([chooseEmbedder(), chooseVectorStore()]);
  const [vector] = await embedder.embed(['anything'], 'query', 'bot');
  const options = { limit: 100, ...(fileId === undefined ? {} : { groups: [fileId] }) };
  return (await store.query(searchIndexOf(botId, embedder), vector!, options)).map(({ key }) => key);
}

/** Returns the keys of a bot's items that contain a text, such as the id of a file or of an indexing. */
export const itemsWith = async (botId: string, text: string): Promise<string[]> =>
  (await scanItems(botId)).map(({ pk, sk }) => `${pk} ${sk}`).filter(key => key.includes(text));

/** Returns everything stored about a file. */
export const remainsOf = async (botId: string, fileId: string) => ({
  items: await itemsWith(botId, fileId),
  objects: await objectsOf(botId, fileId),
  vectors: await vectorsOf(botId, fileId),
});
export const NOTHING = { items: [], objects: [], vectors: [] };

/** Size of a passage's vector with the built-in embedder. */
const VECTOR_BYTES = 384 * 4;

/** Follows any change, including those of tests whose clock is ahead. */
const LAST_MONTH = '2999-12';

export async function usageOf(client: AdminClient, id: string) {
  const read = async (type: 'storage_count' | 'knowledgebase_vector_storage' | 'indexed_file_count') =>
    (await client.getUsage({ id, type, period: LAST_MONTH })).usage.value;
  const [bytes, vectorBytes, indexedFiles] = await Promise.all([
    read('storage_count'),
    read('knowledgebase_vector_storage'),
    read('indexed_file_count'),
  ]);
  return { bytes, passages: vectorBytes / VECTOR_BYTES, indexedFiles };
}
export const NO_USAGE = { bytes: 0, passages: 0, indexedFiles: 0 };

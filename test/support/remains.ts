/** Searches all stored data for words: the table, the bucket's objects, vectors and pending jobs. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { GetObjectCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3';
import { chooseEmbedder } from '#shared/ai/embedders/chooseEmbedder.ts';
import { chooseVectorStore } from '#shared/ai/vectorStores/chooseVectorStore.ts';
import { environment } from '#shared/core/environment.ts';
import { searchIndexOf } from '#shared/domain/files/searchIndex.ts';
import { s3 } from '#shared/storage/s3/objects.ts';
import { scanItems } from './tableItems.ts';

const unpacked = (bytes: Uint8Array): string[] =>
  [(raw: Uint8Array) => Buffer.from(raw), brotliDecompressSync, gunzipSync].flatMap(unpack => {
    try {
      return [unpack(bytes).toString('utf8')];
    } catch {
      return [];
    }
  });

const textsOf = (value: unknown): string[] => {
  if (value instanceof Uint8Array) return unpacked(value);
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...textsOf(inner)]);
};

/** Returns the items, objects and vectors that contain a word. */
export async function remainsOf(botId: string, words: readonly string[]): Promise<string[]> {
  const has = (texts: readonly string[]) => words.some(word => texts.some(text => text.includes(word)));
  const items = (await scanItems()).filter(item => has(textsOf(item))).map(({ pk, sk }) => `item ${pk} ${sk}`);
  const objects: string[] = [];
  for await (const { Contents = [] } of paginateListObjectsV2({ client: s3 }, { Bucket: environment.bucketName })) {
    for (const { Key } of Contents) {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket: environment.bucketName, Key: Key! }));
      if (has([Key!, ...unpacked(await Body!.transformToByteArray())])) objects.push(`object ${Key}`);
    }
  }
  const [embedder, store] = await Promise.all([chooseEmbedder(), chooseVectorStore()]);
  const [vector] = await embedder.embed(['anything'], 'query', 'bot');
  const found = await store.query(searchIndexOf(botId, embedder), vector!, { limit: 100 });
  return [...items, ...objects, ...found.filter(({ key }) => has([key])).map(({ key }) => `vector ${key}`)].sort();
}

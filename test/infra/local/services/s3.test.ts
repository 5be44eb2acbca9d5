/** The embedded object store is as consistent as S3. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { startObjectStore } from '#infra/local/services/s3.ts';

const ROUNDS = 50;

it('keeps an object that is written while the only other one of its directory is deleted', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'parley-objects-'));
  const store = await startObjectStore(directory, ['bucket']);
  const client = new S3Client({ endpoint: store.endpoint, forcePathStyle: true, maxAttempts: 1 });
  const put = (Key: string) => client.send(new PutObjectCommand({ Bucket: 'bucket', Key, Body: Key }));
  const remove = (Key: string) => client.send(new DeleteObjectCommand({ Bucket: 'bucket', Key }));
  try {
    for (let round = 0; round < ROUNDS; round++) {
      await put(`a/${round}/old`);
      await Promise.all([remove(`a/${round}/old`), put(`a/${round}/new`)]);
      const { Body } = await client.send(new GetObjectCommand({ Bucket: 'bucket', Key: `a/${round}/new` }));
      expect(await Body!.transformToString()).toBe(`a/${round}/new`);
      await expect(client.send(new GetObjectCommand({ Bucket: 'bucket', Key: `a/${round}/old` }))).rejects.toThrow(
        'The specified key does not exist',
      );
    }
  } finally {
    client.destroy();
    await store.stop();
    await rm(directory, { recursive: true });
  }
});

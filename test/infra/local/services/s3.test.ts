/** Tests that the embedded object store is as consistent as S3. */
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Service } from '#infra/local/runtime/service.ts';
import { startObjectStore } from '#infra/local/services/s3.ts';

const ROUNDS = 50;

let directory: string;
let store: Service;
let client: S3Client;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-objects-'));
  store = await startObjectStore(directory, ['bucket']);
  client = new S3Client({ endpoint: store.endpoint, forcePathStyle: true, maxAttempts: 1 });
});

afterAll(async () => {
  client.destroy();
  await store.stop();
  await rm(directory, { recursive: true });
});

it('keeps an object that is written while the only other one in its directory is deleted', async () => {
  const put = (Key: string) => client.send(new PutObjectCommand({ Bucket: 'bucket', Key, Body: Key }));
  const remove = (Key: string) => client.send(new DeleteObjectCommand({ Bucket: 'bucket', Key }));
  for (let round = 0; round < ROUNDS; round++) {
    await put(`a/${round}/old`);
    await Promise.all([remove(`a/${round}/old`), put(`a/${round}/new`)]);
    expect(await textOf(`a/${round}/new`)).toBe(`a/${round}/new`);
    await expect(textOf(`a/${round}/old`)).rejects.toThrow('The specified key does not exist');
  }
});

describe('an object that is written repeatedly', () => {
  const bodies = ['short', 'x'.repeat(300_000), 'y'.repeat(70_000), ''];
  const etags = new Map(bodies.map(body => [`"${createHash('md5').update(body).digest('hex')}"`, body]));

  it('is always complete, with its own length and ETag, in every read and copy', async () => {
    const place = { Bucket: 'bucket', Key: 'again' };
    await client.send(new PutObjectCommand({ ...place, Body: bodies[0]! }));
    const read = async (Key: string) => {
      const { Body, ETag, ContentLength } = await client.send(new GetObjectCommand({ ...place, Key }));
      const text = await Body!.transformToString();
      expect({ text: text.length, ContentLength }).toEqual({
        text: etags.get(ETag!)!.length,
        ContentLength: text.length,
      });
      expect(text).toBe(etags.get(ETag!));
    };

    for (let round = 0; round < ROUNDS; round++) {
      await Promise.all([
        ...bodies.map(Body => client.send(new PutObjectCommand({ ...place, Body }))),
        ...Array.from({ length: 4 }, () => read('again')),
        client.send(new CopyObjectCommand({ Bucket: 'bucket', Key: 'copy', CopySource: 'bucket/again' })),
      ]);
      await read('copy');
    }
  });

  it('is copied only with the expected ETag', async () => {
    const put = (Body: string) => client.send(new PutObjectCommand({ Bucket: 'bucket', Key: 'changing', Body }));
    const { ETag } = await put('1');

    for (let round = 0; round < ROUNDS; round++) {
      const [copied] = await Promise.allSettled([
        client.send(
          new CopyObjectCommand({
            Bucket: 'bucket',
            Key: `changing/${round}`,
            CopySource: 'bucket/changing',
            CopySourceIfMatch: ETag,
          }),
        ),
        put('22'),
      ]);
      if (copied.status === 'fulfilled') expect(await textOf(`changing/${round}`)).toBe('1');
      else expect(copied.reason.name).toBe('PreconditionFailed');
      await put('1');
    }
  });
});

describe('an upload in parts', () => {
  const place = { Bucket: 'bucket', Key: 'large' };

  async function begun(...parts: string[]) {
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(place));
    const upload = { ...place, UploadId };
    const Parts = await Promise.all(
      parts.map(async (Body, i) => {
        const { ETag } = await client.send(new UploadPartCommand({ ...upload, PartNumber: i + 1, Body }));
        return { PartNumber: i + 1, ETag };
      }),
    );
    const complete = (also: typeof Parts = []) =>
      client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: [...Parts, ...also] } }));
    return { upload, complete };
  }

  it('creates one object when ten callers complete it concurrently, and no longer exists', async () => {
    const { complete } = await begun('first ', 'second');

    const answers = await Promise.all(Array.from({ length: 10 }, () => complete().catch(error => error.name)));

    expect(answers[0]).toMatchObject({ Key: 'large' });
    expect(answers.filter(answer => typeof answer === 'string' && answer !== 'NoSuchUpload')).toEqual([]);
    expect(await textOf('large')).toBe('first second');
    await expect(complete()).rejects.toThrow('The specified upload does not exist');
  });

  it('rejects a missing part, and can still be completed', async () => {
    const { complete } = await begun('whole');

    await expect(complete([{ PartNumber: 7, ETag: '"none"' }])).rejects.toThrow('Part 7 was not uploaded.');

    await complete();
    expect(await textOf('large')).toBe('whole');
  });

  it('cannot be completed after it was discarded', async () => {
    const { upload, complete } = await begun('discarded');

    await client.send(new AbortMultipartUploadCommand(upload));

    await expect(complete()).rejects.toMatchObject({ name: 'NoSuchUpload' });
    await expect(client.send(new AbortMultipartUploadCommand(upload))).rejects.toMatchObject({ name: 'NoSuchUpload' });
  });
});

async function textOf(Key: string): Promise<string> {
  const { Body } = await client.send(new GetObjectCommand({ Bucket: 'bucket', Key }));
  return Body!.transformToString();
}

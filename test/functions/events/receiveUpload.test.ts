/** Tests that repeated S3 events process an upload once. Covers mismatched, superseded and missing uploads. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { fileIdOf } from '#shared/core/ids.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { uploadsKey } from '#shared/storage/dynamodb/keys/files.ts';
import { timerKey } from '#shared/storage/dynamodb/keys/timers.ts';
import { setUploadsTimer, uploadsTimerMs } from '#shared/storage/dynamodb/timers/uploadTimers.ts';
import { setQuota } from '#shared/storage/dynamodb/workspace/usage.ts';
import { putObject, sizeOfObject } from '#shared/storage/s3/objects.ts';
import { newFileObject, newUploadObject, parseUploadObject } from '#shared/storage/s3/prefixes.ts';
import {
  findUploadsTimer,
  fireUploadsTimer,
  itemsWith,
  muteUploadEvents,
  NO_USAGE,
  notifyOfBodies,
  notifyOfObjects,
  objectsOf,
  recordOf,
  usageOf,
} from '#test/support/fileInternals.ts';
import { fetchContent, fileOf, put, untilStatus, upload } from '#test/support/files.ts';
import { fireTimer } from '#test/support/inRoles.ts';
import { eventually, newBot, type TestBot, usePlatform } from '#test/support/platform.ts';

usePlatform();
afterEach(() => vi.restoreAllMocks());

const TEXT = { 'content-type': 'text/plain' };

/** Uploads without processing the event. */
async function unheard(bot: TestBot, { content, ...options }: { key: string; content: string; index?: boolean }) {
  const missed = muteUploadEvents();
  const { file } = await bot.client.upsertFile({ size: content.length, ...options });
  expect((await put(file.uploadUrl, content, TEXT)).status).toBe(200);
  await eventually(async () => expect(missed()).toBe(1));
  const { object } = (await recordOf(bot.id, file.id)).pending!;
  return { file, object };
}

const expectUsage = (bot: TestBot, used: object) => eventually(async () => expect(await usage(bot)).toEqual(used));
const usage = ({ workspace }: TestBot) => usageOf(workspace.owner.client, workspace.id);
const goes = (object: string) => eventually(async () => expect(await sizeOfObject(object)).toBeUndefined());
const setStorageQuota = (bot: TestBot, bytes: number | undefined) =>
  write([setQuota(bot.workspace.id, 'storage_count', bytes)]);

describe('an upload that has arrived', () => {
  it('completes and counts the file once for repeated and concurrent notifications', async () => {
    const bot = await newBot();
    const { file, object } = await unheard(bot, { key: 'a.txt', content: 'hello' });
    const before = await recordOf(bot.id, file.id);

    await Promise.all(Array.from({ length: 5 }, () => notifyOfObjects({ key: object, size: 5 })));
    await notifyOfObjects({ key: object, size: 5 }, { key: object, size: 5 });

    const after = await recordOf(bot.id, file.id);
    expect(after).toMatchObject({ status: 'upload_completed', version: before.version + 1 });
    expect(after.pending).toBeUndefined();
    expect((await fetchContent((await fileOf(bot.client, file.id)).url)).text).toBe('hello');
    await expectUsage(bot, { ...NO_USAGE, bytes: 5 });
  });

  it('is indexed once when it is notified twice', async () => {
    const bot = await newBot();
    const { file, object } = await unheard(bot, { key: 'a.txt', content: 'The okapi is shy.', index: true });

    await Promise.all([notifyOfObjects({ key: object, size: 17 }), notifyOfObjects({ key: object, size: 17 })]);
    await untilStatus(bot.client, file.id, 'indexing_completed');
    const { version, indexed } = await recordOf(bot.id, file.id);
    await notifyOfObjects({ key: object, size: 17 });

    expect(await recordOf(bot.id, file.id)).toMatchObject({ version, indexed, status: 'indexing_completed' });
    await expectUsage(bot, { bytes: 17, passages: 1, indexedFiles: 1 });
  });

  it('is recognised by its key in any encoding', async () => {
    const bot = await newBot();
    const everyByte = (key: string) => key.replace(/./g, char => `%${char.charCodeAt(0).toString(16)}`);

    for (const encode of [String, encodeURIComponent, everyByte]) {
      vi.restoreAllMocks();
      const { file, object } = await unheard(bot, { key: `${encode.name}.txt`, content: 'hello' });
      await notifyOfObjects({ key: encode(object), size: 5 });

      expect((await fileOf(bot.client, file.id)).status).toBe('upload_completed');
    }
  });

  it.each([
    ['more', 7],
    ['fewer', 4],
    ['no', 0],
  ])(
    'fails with the reason if it has %s bytes than announced, and keeps and counts the previous content',
    async (_, size) => {
      const bot = await newBot();
      await upload(bot.client, { key: 'a.txt', content: 'old content' });
      const { file, object } = await unheard(bot, { key: 'a.txt', content: 'hello' });

      await putObject(object, Buffer.alloc(size));
      await notifyOfObjects({ key: object });
      await notifyOfObjects({ key: object });

      const after = await fileOf(bot.client, file.id);
      expect(after).toMatchObject({
        status: 'upload_failed',
        failedStatusReason: `The upload has ${size} bytes, but the declared size is 5.`,
        size: 11,
      });
      expect((await fetchContent(after.url)).text).toBe('old content');
      await goes(object);
      expect((await fetchContent(after.url)).text).toBe('old content');
      await expectUsage(bot, { ...NO_USAGE, bytes: 11 });
    },
  );

  it('clears the failure of the previous upload', async () => {
    const bot = await newBot();
    const { object } = await unheard(bot, { key: 'a.txt', content: 'hello' });
    await putObject(object, Buffer.from('hello!'));
    await notifyOfObjects({ key: object });
    vi.restoreAllMocks();

    const after = await upload(bot.client, { key: 'a.txt', content: 'hello' });

    expect(after.id).toBe(parseUploadObject(object)!.fileId);
    expect(after.failedStatusReason).toBeUndefined();
    expect((await fetchContent(after.url)).text).toBe('hello');
  });
});

describe('an unexpected object', () => {
  it.each([
    ['no known file', async (bot: TestBot) => newUploadObject(bot.id, fileIdOf(bot.id, 'bot', 'nothing'))],
    [
      'a file with other content',
      async (bot: TestBot) => newUploadObject(bot.id, (await upload(bot.client, { key: 'a.txt', content: 'a' })).id),
    ],
    [
      'a deleted bot',
      async (bot: TestBot) => {
        const { object } = await unheard(bot, { key: 'a.txt', content: 'hello' });
        await bot.workspace.owner.client.deleteBot({ id: bot.id });
        return object;
      },
    ],
    ['no bot, with spaces in its key', async () => `uploads/${crypto.randomUUID()}/file_x/a b+${crypto.randomUUID()}`],
  ])('is deleted if it belongs to %s', async (_, find) => {
    const bot = await newBot();
    const object = await find(bot);
    muteUploadEvents();
    await putObject(object, Buffer.from('hello'));

    await notifyOfObjects({ key: encodeURIComponent(object).replaceAll('%20', '+'), size: 5 });

    expect(await sizeOfObject(object)).toBeUndefined();
  });

  it('is kept if it is not an upload: a copy, or a foreign key', async () => {
    const bot = await newBot();
    const { file } = await bot.client.upsertFile({ key: 'a.txt', size: 5 });
    const objects = [newFileObject(bot.id, file.id), `${bot.id}/else`, `uploads/${bot.id}/${file.id}/deep/er`];
    muteUploadEvents();
    for (const object of objects) await putObject(object, Buffer.from('hello'));

    await notifyOfObjects(...objects.map(key => ({ key, size: 5 })));

    for (const object of objects) expect(await sizeOfObject(object)).toBe(5);
    expect((await fileOf(bot.client, file.id)).status).toBe('upload_pending');
  });

  it('is deleted if its upload was superseded, while the newer upload remains pending', async () => {
    const bot = await newBot();
    const { file: first } = await bot.client.upsertFile({ key: 'a.txt', size: 5 });
    const { object } = (await recordOf(bot.id, first.id)).pending!;
    const { file: second } = await bot.client.upsertFile({ key: 'a.txt', size: 6 });

    expect((await put(first.uploadUrl, 'first', TEXT)).status).toBe(200);
    await goes(object);
    const between = await fileOf(bot.client, second.id);
    expect((await put(second.uploadUrl, 'second', TEXT)).status).toBe(200);

    expect(between).toMatchObject({ status: 'upload_pending', size: null });
    const after = await untilStatus(bot.client, second.id, 'upload_completed');
    expect((await fetchContent(after.url)).text).toBe('second');
    const { object: accepted } = (await recordOf(bot.id, second.id)).content!;
    // The stream removes the uploaded object once it is copied.
    await eventually(async () => expect(await objectsOf(bot.id)).toEqual([accepted]));
    await expectUsage(bot, { ...NO_USAGE, bytes: 6 });
  });

  it('is deleted if its upload was superseded and it arrives last', async () => {
    const bot = await newBot();
    const { file: first } = await bot.client.upsertFile({ key: 'a.txt', size: 5 });
    const { object } = (await recordOf(bot.id, first.id)).pending!;
    await upload(bot.client, { key: 'a.txt', content: 'second' });

    expect((await put(first.uploadUrl, 'first', TEXT)).status).toBe(200);

    await goes(object);
    const after = await fileOf(bot.client, first.id);
    expect(after.status).toBe('upload_completed');
    expect((await fetchContent(after.url)).text).toBe('second');
  });
});

describe('a notification without an object', () => {
  it("is ignored, such as S3's test notification", async () => {
    const bot = await newBot();
    const { file, object } = await unheard(bot, { key: 'a.txt', content: 'hello' });
    const test = {
      Service: 'Amazon S3',
      Event: 's3:TestEvent',
      Time: '2026-01-01T00:00:00.000Z',
      Bucket: 'b',
      RequestId: '1',
      HostId: '2',
    };

    await notifyOfBodies(test, { Records: [{ s3: { object: { key: object, size: 5 } } }] });

    expect((await fileOf(bot.client, file.id)).status).toBe('upload_completed');
  });
});

describe('the deadline of an upload', () => {
  it('fails a missing upload once, with the fix', async () => {
    const bot = await newBot();
    const { file } = await bot.client.upsertFile({ key: 'a.txt', size: 5 });
    const { version } = await recordOf(bot.id, file.id);
    const due = await findUploadsTimer(bot.id, file.id);

    const early = await fireTimer(due, due.dueMs - 1);
    const waiting = await fileOf(bot.client, file.id);
    await Promise.all(Array.from({ length: 5 }, () => fireTimer(due, due.dueMs)));

    expect([early, waiting.status]).toEqual(['later', 'upload_pending']);
    expect((await recordOf(bot.id, file.id)).version).toBe(version + 1);
    expect(await fileOf(bot.client, file.id)).toMatchObject({
      status: 'upload_failed',
      failedStatusReason: 'Nothing was uploaded before the upload URL expired.',
      size: null,
      url: '',
    });
    expect(await itemsWith(bot.id, 'due#')).toEqual([]);
    await expectUsage(bot, NO_USAGE);
  });

  it('keeps the previous content if its replacement is missing', async () => {
    const bot = await newBot();
    await upload(bot.client, { key: 'a.txt', content: 'old' });
    const { file } = await bot.client.upsertFile({ key: 'a.txt', size: 5 });

    await fireUploadsTimer(bot.id, file.id);

    const after = await fileOf(bot.client, file.id);
    expect(after).toMatchObject({ status: 'upload_failed', size: 3 });
    expect((await fetchContent(after.url)).text).toBe('old');
  });

  it('completes an upload that arrived without a notification', async () => {
    const bot = await newBot();
    const { file, object } = await unheard(bot, { key: 'a.txt', content: 'hello' });

    await fireUploadsTimer(bot.id, file.id);
    await notifyOfObjects({ key: object, size: 5 });

    const after = await fileOf(bot.client, file.id);
    expect(after).toMatchObject({ status: 'upload_completed', size: 5 });
    expect((await fetchContent(after.url)).text).toBe('hello');
    await expectUsage(bot, { ...NO_USAGE, bytes: 5 });
  });

  it('fails an upload over the quota that arrived without a notification', async () => {
    const bot = await newBot();
    const { file, object } = await unheard(bot, { key: 'a.txt', content: 'hello' });
    await setStorageQuota(bot, 4);

    await fireUploadsTimer(bot.id, file.id);

    expect(await fileOf(bot.client, file.id)).toMatchObject({
      status: 'upload_failed',
      failedStatusReason: expect.stringMatching(/quota of file storage/),
    });
    await expectUsage(bot, NO_USAGE);
    await goes(object);
    expect(await itemsWith(bot.id, 'due#')).toEqual([]);
  });

  it('is not affected by an earlier upload', async () => {
    const bot = await newBot();
    const { file } = await bot.client.upsertFile({ key: 'a.txt', size: 5 });
    const earlierMs = uploadsTimerMs(clock.now());
    await setUploadsTimer(bot.id, earlierMs - 1);
    const earlier = { ...timerKey(uploadsKey(bot.id, earlierMs)), dueMs: earlierMs };

    const outcome = await fireTimer(earlier, earlierMs);

    expect(outcome).toBe('gone');
    expect((await fileOf(bot.client, file.id)).status).toBe('upload_pending');
  });
});

describe('an upload over the workspace’s quota', () => {
  it('fails with the reason, is deleted without being counted, and keeps the previous content', async () => {
    const bot = await newBot();
    await upload(bot.client, { key: 'a.txt', content: 'old' });
    await expectUsage(bot, { ...NO_USAGE, bytes: 3 });
    await setStorageQuota(bot, 10);
    const { file } = await bot.client.upsertFile({ key: 'a.txt', size: 11 });
    const { object } = (await recordOf(bot.id, file.id)).pending!;

    await put(file.uploadUrl, 'hello world', TEXT);

    const after = await untilStatus(bot.client, file.id, 'upload_failed');
    expect(after).toMatchObject({ size: 3, failedStatusReason: expect.stringMatching(/quota of file storage/) });
    await goes(object);
    expect((await fetchContent(after.url)).text).toBe('old');
    await expectUsage(bot, { ...NO_USAGE, bytes: 3 });
  });

  it('counts only the difference when it replaces content', async () => {
    const bot = await newBot();
    await upload(bot.client, { key: 'a.txt', content: '12345678' });
    await expectUsage(bot, { ...NO_USAGE, bytes: 8 });
    await setStorageQuota(bot, 10);

    const after = await upload(bot.client, { key: 'a.txt', content: '1234567890' });

    expect(after.size).toBe(10);
    await expectUsage(bot, { ...NO_USAGE, bytes: 10 });
  });

  it('succeeds once quota is available again', async () => {
    const bot = await newBot();
    await setStorageQuota(bot, 4);
    const { file } = await bot.client.uploadFile({ key: 'a.txt', content: 'hello' });
    await untilStatus(bot.client, file.id, 'upload_failed');
    await setStorageQuota(bot, undefined);

    const after = await upload(bot.client, { key: 'a.txt', content: 'hello' });

    expect(after.failedStatusReason).toBeUndefined();
    await expectUsage(bot, { ...NO_USAGE, bytes: 5 });
  });

  it('fails for as many of several concurrent uploads as exceed the quota', async () => {
    const bot = await newBot();
    await setStorageQuota(bot, 12);

    const files = await Promise.all(
      Array.from({ length: 4 }, async (_, i) => {
        const { file } = await bot.client.uploadFile({ key: `${i}.txt`, content: 'hello' });
        return eventually(async () => {
          const now = await fileOf(bot.client, file.id);
          expect(now.status).not.toBe('upload_pending');
          return now;
        });
      }),
    );

    expect(files.map(({ status }) => status).sort()).toEqual([
      'upload_completed',
      'upload_completed',
      'upload_failed',
      'upload_failed',
    ]);
    await expectUsage(bot, { ...NO_USAGE, bytes: 10 });
  });
});

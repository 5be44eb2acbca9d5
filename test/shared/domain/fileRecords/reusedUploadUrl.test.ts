/** Tests that content written by a reused upload URL is never accepted. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { completeUpload } from '#shared/domain/fileRecords/awaitUpload.ts';
import { WriteConflict, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { setQuota } from '#shared/storage/dynamodb/workspace/usage.ts';
import { sizeOfObject } from '#shared/storage/s3/objects.ts';
import { muteUploadEvents, notifyOfObjects, objectsOf, recordOf } from '#test/support/fileInternals.ts';
import { atPlatform, fetchContent, fileOf, put, untilStatus, upload } from '#test/support/files.ts';
import { eventually, newBot, settled, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();
afterEach(() => vi.restoreAllMocks());

const TEXT = { 'content-type': 'text/plain' };
const ACCEPTED = 'The okapi is a shy animal of the rain forest.';
const LATE = 'The zebra is a bold animal of the savannahs!!';

/** Announces an upload and PUTs its bytes. */
async function arrive(bot: TestBot, { content = ACCEPTED, ...options }: { content?: string; index?: boolean } = {}) {
  const { file } = await bot.client.upsertFile({ key: 'a.txt', size: content.length, ...options });
  const { object } = (await recordOf(bot.id, file.id)).pending!;
  expect((await put(file.uploadUrl, content, TEXT)).status).toBe(200);
  return { file, object };
}

describe('an upload URL that is used again', () => {
  it('does not change the content or search results after acceptance, and deletes the late object', async () => {
    const bot = await newBot();
    const { file, object } = await arrive(bot, { index: true });
    const accepted = await untilStatus(bot.client, file.id, 'indexing_completed', 30_000);
    await eventually(async () => expect(await sizeOfObject(object)).toBeUndefined());

    expect((await put(file.uploadUrl, LATE, TEXT)).status).toBe(200);

    await eventually(async () => expect(await sizeOfObject(object)).toBeUndefined());
    const after = await fileOf(bot.client, file.id);
    const { passages } = await bot.client.searchFiles({ query: 'shy animal' });
    expect(after).toMatchObject({ status: 'indexing_completed', updatedAt: accepted.updatedAt });
    for (const { url } of [file, accepted, after]) expect((await fetchContent(url)).text).toBe(ACCEPTED);
    expect(passages.map(({ content }) => content)).toEqual([expect.stringContaining('okapi')]);
    expect(await objectsOf(bot.id)).toEqual([(await recordOf(bot.id, file.id)).content!.object]);
  });

  it('serves the accepted bytes under every URL, even before the event of the late object', async () => {
    const bot = await newBot();
    muteUploadEvents();
    const { file, object } = await arrive(bot);
    const early = await fileOf(bot.client, file.id);
    await notifyOfObjects({ key: object });
    const accepted = await untilStatus(bot.client, file.id, 'upload_completed');
    // The event and the stream both delete the accepted object. The second must not meet the late one.
    await settled();

    expect((await put(file.uploadUrl, LATE, TEXT)).status).toBe(200);

    expect(await sizeOfObject(object)).toBe(LATE.length);
    for (const { url } of [file, early, accepted, await fileOf(bot.client, file.id)])
      expect((await fetchContent(url)).text).toBe(ACCEPTED);
    const copy = await bot.client.copyFile({ idOrKey: file.id, destinationKey: 'b.txt' });
    expect((await fetchContent(copy.file.url)).text).toBe(ACCEPTED);
  });

  it.each([
    ['getFile', (bot: TestBot, id: string) => bot.client.getFile({ id })],
    ['listFiles', (bot: TestBot) => bot.client.listFiles({})],
  ])('does not change content that %s returned before its event', async (_, read) => {
    const bot = await newBot();
    muteUploadEvents();
    const { file, object } = await arrive(bot);
    await read(bot, file.id);

    await put(file.uploadUrl, LATE, TEXT);
    await notifyOfObjects({ key: object });

    const after = await fileOf(bot.client, file.id);
    expect(after.status).toBe('upload_completed');
    for (const { url } of [file, after]) expect((await fetchContent(url)).text).toBe(ACCEPTED);
  });

  it('replaces all bytes before acceptance, and accepts only the later upload once', async () => {
    const bot = await newBot();
    muteUploadEvents();
    const { file, object } = await arrive(bot);
    await put(file.uploadUrl, LATE, TEXT);

    await Promise.all([notifyOfObjects({ key: object }), notifyOfObjects({ key: object })]);

    const after = await untilStatus(bot.client, file.id, 'upload_completed');
    expect((await fetchContent(after.url)).text).toBe(LATE);
    await eventually(async () =>
      expect(await objectsOf(bot.id)).toEqual([(await recordOf(bot.id, file.id)).content!.object]),
    );
  });

  it('causes a retry if used between reading and accepting the object', async () => {
    const bot = await newBot();
    muteUploadEvents();
    const { file, object } = await arrive(bot);
    const record = await recordOf(bot.id, file.id);
    const { headObject } = await import('#shared/storage/s3/objects.ts');
    const seen = (await headObject(object))!;
    await put(file.uploadUrl, LATE, TEXT);

    const stale = completeUpload({ id: bot.id, workspaceId: bot.workspace.id }, record, seen, clock.now());

    await expect(stale).rejects.toBeInstanceOf(WriteConflict);
    expect(await recordOf(bot.id, file.id)).toEqual(record);
    expect(await objectsOf(bot.id)).toEqual([object]);
  });

  it('leaves no object after the upload failed because of the quota', async () => {
    const bot = await newBot();
    await write([setQuota(bot.workspace.id, 'storage_count', 4)]);
    const { file } = await arrive(bot);
    await untilStatus(bot.client, file.id, 'upload_failed');

    expect((await put(file.uploadUrl, LATE, TEXT)).status).toBe(200);

    await eventually(async () => expect(await objectsOf(bot.id)).toEqual([]));
    expect(await fileOf(bot.client, file.id)).toMatchObject({ status: 'upload_failed', url: '' });
    expect((await fetchContent(file.url)).status).toBe(404);
  });
});

describe('the URL of a file whose upload is not accepted yet', () => {
  it('works from the PUT on, and returns the accepted content later', async () => {
    const bot = await newBot();
    muteUploadEvents();
    const { file: announced } = await bot.client.upsertFile({ key: 'a.txt', size: 5 });
    const before = await fetchContent(announced.url);
    await put(announced.uploadUrl, 'hello', TEXT);
    const arrived = await fetchContent(announced.url);
    const { object } = (await recordOf(bot.id, announced.id)).pending!;
    await notifyOfObjects({ key: object });
    await eventually(async () => expect(await sizeOfObject(object)).toBeUndefined());

    const accepted = await fetchContent(announced.url);

    expect(before.status).toBe(404);
    for (const answer of [arrived, accepted]) {
      expect(answer).toMatchObject({ status: 200, text: 'hello' });
      expect(answer.headers.get('content-disposition')).toContain('a.txt');
    }
  });

  it('redirects to content that survives the deletion of the upload', async () => {
    const bot = await newBot();
    muteUploadEvents();
    const { file, object } = await arrive(bot);

    const { headers } = await fetch(atPlatform(file.url), { redirect: 'manual' });
    await notifyOfObjects({ key: object });
    await eventually(async () => expect(await sizeOfObject(object)).toBeUndefined());

    expect(await (await fetch(headers.get('location')!)).text()).toBe(ACCEPTED);
  });

  it('expires after its lifetime', async () => {
    const bot = await newBot();
    const { file } = await bot.client.upsertFile({ key: 'a.txt', size: 5 });
    await put(file.uploadUrl, 'hello', TEXT);
    await untilStatus(bot.client, file.id, 'upload_completed');
    expect((await fetchContent(file.url)).status).toBe(200);

    clock.advance(3 * 3600_000);

    expect((await fetchContent(file.url)).status).toBe(404);
  });

  it('expires with its content', async () => {
    const bot = await newBot();
    const { file } = await bot.client.upsertFile({ key: 'a.txt', size: 5 });
    await put(file.uploadUrl, 'hello', TEXT);
    await untilStatus(bot.client, file.id, 'upload_completed');

    await upload(bot.client, { key: 'a.txt', content: 'other' });

    expect((await fetchContent(file.url)).status).toBe(404);
  });

  it('does not work for a copy of the file', async () => {
    const bot = await newBot();
    const { file } = await arrive(bot);
    await untilStatus(bot.client, file.id, 'upload_completed');

    const { file: copy } = await bot.client.copyFile({ idOrKey: file.id, destinationKey: 'b.txt' });

    expect((await recordOf(bot.id, copy.id)).content!.early).toBeUndefined();
  });
});

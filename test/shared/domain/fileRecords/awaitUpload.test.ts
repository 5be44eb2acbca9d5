/** Tests that every operation sees an uploaded file before S3's event is processed. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { finalizeBeforeRead, finalizeUpload } from '#shared/domain/fileRecords/awaitUpload.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { setQuota } from '#shared/storage/dynamodb/workspace/usage.ts';
import { acceptedPrefix } from '#shared/storage/s3/prefixes.ts';
import {
  muteUploadEvents,
  NO_USAGE,
  notifyOfObjects,
  objectsOf,
  recordOf,
  usageOf,
} from '#test/support/fileInternals.ts';
import { fetchContent, fileOf, put, upload } from '#test/support/files.ts';
import { eventually, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { newTableName } from '#test/support/requests/tables.ts';
import { isComplete } from '#test/support/tier.ts';

useSharedPlatform();
afterEach(() => vi.restoreAllMocks());

/** Uploads a file whose event is never processed. */
async function arrive(bot: TestBot, options: { key: string; index?: boolean; accessPolicies?: ['public_content'] }) {
  muteUploadEvents();
  const { file } = await bot.client.upsertFile({ size: 5, ...options });
  expect((await put(file.uploadUrl, 'hello', { 'content-type': file.contentType })).status).toBe(200);
  return file;
}

const usage = ({ workspace }: TestBot) => usageOf(workspace.owner.client, workspace.id);

describe('operations that read', () => {
  it('accepts an uploaded file and shows it', async () => {
    const bot = await newBot();
    const { id } = await arrive(bot, { key: 'a.txt' });

    const one = await fileOf(bot.client, id);
    const [listed] = (await bot.client.listFiles({})).files;

    expect(one).toMatchObject({ status: 'upload_completed', size: 5, contentType: 'text/plain' });
    expect({ ...listed, url: '' }).toEqual({ ...one, url: '' });
    expect((await fetchContent(one.url)).text).toBe('hello');
    expect(await recordOf(bot.id, id)).toMatchObject({ status: 'upload_completed', content: { size: 5 } });
  });

  it('shows a file to be indexed as indexing_pending', async () => {
    const bot = await newBot();
    const { id } = await arrive(bot, { key: 'a.txt', index: true });

    expect((await fileOf(bot.client, id)).status).toBe('indexing_pending');
  });

  it('redirects the permanent URL to the new content', async () => {
    const bot = await newBot();
    const old = await upload(bot.client, { key: 'a.txt', content: 'old', accessPolicies: ['public_content'] });
    await arrive(bot, { key: 'a.txt' });

    expect((await fetchContent(old.url)).text).toBe('hello');
  });

  it('shows an upload that exceeds the quota as failed', async () => {
    const bot = await newBot();
    await write([setQuota(bot.workspace.id, 'storage_count', 4)]);
    const { id } = await arrive(bot, { key: 'a.txt' });

    expect((await fileOf(bot.client, id)).status).toBe('upload_failed');
  });

  it.skipIf(!isComplete)('shows an upload as pending if copying it might exceed the time limit', async () => {
    const bot = await newBot();
    const content = Buffer.alloc(100 * 1024 * 1024 + 1);
    muteUploadEvents();
    const { file } = await bot.client.upsertFile({ key: 'a.bin', size: content.length });

    await put(file.uploadUrl, content, { 'content-type': file.contentType });

    expect((await fileOf(bot.client, file.id)).status).toBe('upload_pending');
  });
});

describe('operations that write', () => {
  it.each([
    ['copyFile', (bot: TestBot, id: string) => bot.client.copyFile({ idOrKey: id, destinationKey: 'b.txt' })],
    ['setFilePassages', (bot: TestBot, id: string) => bot.client.setFilePassages({ id, passages: [{ content: 'a' }] })],
    ['updateFileMetadata', (bot: TestBot, id: string) => bot.client.updateFileMetadata({ id, metadata: { a: 1 } })],
    [
      'importTable',
      async (bot: TestBot, id: string) => {
        const { table } = await bot.client.createTable({ name: newTableName(), schema: { name: 'x' } });
        await bot.client.importTable({ table: table.id, fileId: id });
      },
    ],
  ])('completes the upload: %s', async (_, act) => {
    const bot = await newBot();
    const { id } = await arrive(bot, { key: 'a.csv' });
    const { object } = (await recordOf(bot.id, id)).pending!;

    await act(bot, id);

    expect((await recordOf(bot.id, id)).content).toMatchObject({
      object: expect.stringMatching(acceptedPrefix(object)),
      size: 5,
      contentType: 'text/csv',
    });
  });

  it('keeps the content when another upload is announced', async () => {
    const bot = await newBot();
    const { id } = await arrive(bot, { key: 'a.txt' });

    await bot.client.upsertFile({ key: 'a.txt', size: 6 });

    expect(await fileOf(bot.client, id)).toMatchObject({ status: 'upload_pending', size: 5 });
    expect((await fetchContent((await fileOf(bot.client, id)).url)).text).toBe('hello');
  });

  it('rejects a file that has not arrived', async () => {
    const bot = await newBot();
    const { file } = await bot.client.upsertFile({ key: 'a.txt', size: 5 });

    expect(await bot.callFiles('POST', `/${file.id}/b.txt`, { body: {} })).toMatchObject({ status: 400 });
  });
});

describe('a file that was read before its event accepted the upload, and deleted the uploaded object', () => {
  const acceptedSince = async () => {
    const bot = await newBot();
    const { id } = await arrive(bot, { key: 'a.txt' });
    const before = await recordOf(bot.id, id);
    await notifyOfObjects({ key: before.pending!.object, size: 5 });
    const after = await recordOf(bot.id, id);
    await eventually(async () => expect(await objectsOf(bot.id, id)).toEqual([after.content!.object]));
    return { ref: { id: bot.id, workspaceId: bot.workspace.id }, before, after };
  };

  it('is re-read before a write', async () => {
    const { ref, before, after } = await acceptedSince();

    expect(await finalizeUpload(ref, before, clock.now())).toEqual(after);
  });

  it('is re-read by an operation that reads', async () => {
    const { ref, before, after } = await acceptedSince();

    expect(await finalizeBeforeRead(ref, [before], clock.now())).toEqual([after]);
  });
});

describe('finalizeUpload', () => {
  it('completes an upload once, concurrently with its event', async () => {
    const bot = await newBot();
    const { id } = await arrive(bot, { key: 'a.txt' });
    const before = await recordOf(bot.id, id);
    const ref = { id: bot.id, workspaceId: bot.workspace.id };

    const settled = await Promise.all(Array.from({ length: 5 }, () => finalizeUpload(ref, before, clock.now())));
    await notifyOfObjects({ key: before.pending!.object, size: 5 });

    const after = await recordOf(bot.id, id);
    expect(settled).toEqual(Array.from({ length: 5 }, () => after));
    expect(after).toMatchObject({ status: 'upload_completed', version: before.version + 1 });
    expect(after.content!.object).toContain(acceptedPrefix(before.pending!.object));
    await eventually(async () => expect(await objectsOf(bot.id, id)).toEqual([after.content!.object]));
    await eventually(async () => expect(await usage(bot)).toEqual({ ...NO_USAGE, bytes: 5 }));
  });

  it('fails an upload that exceeds the quota', async () => {
    const bot = await newBot();
    await write([setQuota(bot.workspace.id, 'storage_count', 4)]);
    const { id } = await arrive(bot, { key: 'a.txt' });

    const settled = await finalizeUpload(
      { id: bot.id, workspaceId: bot.workspace.id },
      await recordOf(bot.id, id),
      clock.now(),
    );

    expect(settled).toMatchObject({ status: 'upload_failed', reason: expect.stringMatching(/quota of file storage/) });
    await eventually(async () => expect(await usage(bot)).toEqual(NO_USAGE));
  });
});

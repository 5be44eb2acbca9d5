/** Tests that a file is removed at its expiry with all its data, and kept before or after the expiry was cleared. */
import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import {
  findFileTimer,
  fireFileTimer,
  NO_USAGE,
  NOTHING,
  objectsOf,
  remainsOf,
  usageOf,
} from '#test/support/fileInternals.ts';
import { fetchContent, fileOf, untilStatus, upload } from '#test/support/files.ts';
import { fireTimer } from '#test/support/inRoles.ts';
import { crowds, eventually, newBot, type TestBot, usePlatform } from '#test/support/platform.ts';

usePlatform();

const DAY_MS = 24 * 3_600_000;
const inDays = (days: number) => new Date(clock.now() + days * DAY_MS).toISOString();
/** Rounds down to the minute, as the stored expiry. */
const minute = (iso: string) => Math.floor(Date.parse(iso) / 60_000) * 60_000;

const expiring = (bot: TestBot, expiresAt: string) =>
  upload(bot.client, {
    key: 'a.txt',
    content: 'The okapi is shy.',
    index: true,
    tags: { animal: 'okapi' },
    accessPolicies: ['public_content', 'integrations'],
    expiresAt,
  });

describe('the expiry of a file', () => {
  it('removes its content, passages, vectors and list entries', async () => {
    const bot = await newBot();
    const expiresAt = inDays(90);
    const file = await expiring(bot, expiresAt);
    await upload(bot.client, { key: 'stays.txt', content: 'stays' });
    const due = (await findFileTimer(bot.id, file.id, 'expiry'))!;

    const early = await fireTimer(due, due.dueMs - 1);
    const before = await fileOf(bot.client, file.id);
    const outcomes = await crowds(5, () => fireTimer(due, due.dueMs));

    expect(due.dueMs).toBe(minute(expiresAt));
    expect([early, before.status]).toEqual(['later', 'indexing_completed']);
    expect(outcomes.filter(outcome => outcome === 'done')).toHaveLength(1);
    await expect(bot.client.getFile({ id: file.id })).rejects.toMatchObject({ code: 404 });
    expect((await bot.client.listFiles({})).files.map(({ key }) => key)).toEqual(['stays.txt']);
    expect((await bot.client.searchFiles({ query: 'okapi' })).passages).toEqual([]);
    await eventually(async () => {
      expect(await remainsOf(bot.id, file.id)).toEqual(NOTHING);
      expect((await fetchContent(file.url)).status).toBe(404);
      expect((await bot.client.listFiles({ tags: { animal: 'okapi' } })).files).toEqual([]);
      expect((await bot.integration.listFiles({})).files).toEqual([]);
      expect((await bot.client.listFileTags({})).tags).toEqual([]);
    });
    const { workspace } = bot;
    await eventually(async () =>
      expect(await usageOf(workspace.owner.client, workspace.id)).toEqual({ ...NO_USAGE, bytes: 5 }),
    );
  });

  it('does nothing when it was cleared or changed', async () => {
    const bot = await newBot();
    const file = await expiring(bot, inDays(1));
    const first = (await findFileTimer(bot.id, file.id, 'expiry'))!;
    await bot.client.updateFileMetadata({ id: file.id, expiresAt: inDays(2) });
    const second = (await findFileTimer(bot.id, file.id, 'expiry'))!;

    const moved = await fireTimer(first, first.dueMs);
    await bot.client.updateFileMetadata({ id: file.id, expiresAt: null });
    const calledOff = await fireTimer(second, second.dueMs);

    expect([moved, calledOff]).toEqual(['later', 'gone']);
    expect(await fileOf(bot.client, file.id)).toMatchObject({ status: 'indexing_completed' });
    expect((await fileOf(bot.client, file.id)).expiresAt).toBeUndefined();
  });

  it('survives other changes of the file, and is replaced by the expiry of a new upload', async () => {
    const bot = await newBot();
    const file = await expiring(bot, inDays(1));
    const first = (await findFileTimer(bot.id, file.id, 'expiry'))!;

    await bot.client.updateFileMetadata({ id: file.id, metadata: { a: 1 } });
    const kept = await findFileTimer(bot.id, file.id, 'expiry');
    await upload(bot.client, { key: 'a.txt', content: 'new', index: true, expiresAt: inDays(3) });

    expect(kept).toEqual(first);
    expect(await fireTimer(first, first.dueMs)).toBe('later');
    expect((await fetchContent((await fileOf(bot.client, file.id)).url)).text).toBe('new');
  });

  it('removes a file with a pending upload, and deletes the late upload', async () => {
    const bot = await newBot();
    const { file } = await bot.client.upsertFile({ key: 'a.txt', size: 5, expiresAt: inDays(1) });

    await fireFileTimer(bot.id, file.id, 'expiry');
    await fetch(file.uploadUrl, { method: 'PUT', body: 'hello', headers: { 'content-type': 'text/plain' } });

    await eventually(async () => expect(await remainsOf(bot.id, file.id)).toEqual(NOTHING));
  });

  it('keeps a new file under the same key', async () => {
    const bot = await newBot();
    const file = await expiring(bot, inDays(1));
    const due = (await findFileTimer(bot.id, file.id, 'expiry'))!;
    await bot.client.deleteFile({ id: file.id });
    const again = await upload(bot.client, { key: 'a.txt', content: 'new' });

    const outcome = await fireTimer(due, due.dueMs);

    expect(outcome).toBe('gone');
    expect(again.expiresAt).toBeUndefined();
    expect((await fetchContent(again.url)).text).toBe('new');
  });

  it('is inherited by a copy, which expires independently', async () => {
    const bot = await newBot();
    const file = await expiring(bot, inDays(1));
    const { file: copy } = await bot.client.copyFile({ idOrKey: 'a.txt', destinationKey: 'b.txt' });
    await untilStatus(bot.client, copy.id, 'indexing_completed');

    await fireFileTimer(bot.id, file.id, 'expiry');

    expect(copy.expiresAt).toBe(file.expiresAt);
    await eventually(async () => expect(await objectsOf(bot.id)).toHaveLength(1));
    expect((await bot.client.searchFiles({ query: 'okapi' })).passages.map(each => each.file.key)).toEqual(['b.txt']);
    await fireFileTimer(bot.id, copy.id, 'expiry');
    await eventually(async () => expect(await remainsOf(bot.id, copy.id)).toEqual(NOTHING));
  });
});

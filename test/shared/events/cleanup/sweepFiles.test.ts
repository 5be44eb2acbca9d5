/** Tests that all files of a deleted bot are removed, for any owner and status. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { sweepDeleted } from '#functions/events/sweepDeleted.ts';
import { putTerms } from '#shared/ai/search/keywordIndex.ts';
import { clock } from '#shared/core/clock.ts';
import { putPassages } from '#shared/storage/dynamodb/files/passages.ts';
import { itemsWith, notifyOfObjects, objectsOf, recordOf, vectorsOf } from '#test/support/fileInternals.ts';
import { untilStatus, upload } from '#test/support/files.ts';
import { eventually, newBot, newWorkspace, settled, type TestBot, usePlatform } from '#test/support/platform.ts';
import { sweep } from '#test/support/sweeps.ts';
import { scanItems } from '#test/support/tableItems.ts';

usePlatform();
afterEach(() => vi.restoreAllMocks());

/** Disables sweeps other than those by {@link sweep}. */
const holdSweeps = () => vi.spyOn(sweepDeleted, 'handle').mockResolvedValue();

/** Creates files of every kind, in every status. */
async function fillWithFiles(bot: TestBot) {
  const { client, integration } = bot;
  const { knowledgeBase } = await client.createKnowledgeBase({ name: 'Animals', tags: { a: '1' } });
  await integration.createKnowledgeBase({ name: 'Its own' });
  const content = 'The okapi is shy.';
  await upload(client, { key: 'indexed.txt', content, index: true, tags: { kbId: knowledgeBase.id, animal: 'okapi' } });
  await upload(client, { key: 'shared.txt', content, index: true, accessPolicies: ['integrations', 'public_content'] });
  await upload(integration, { key: 'its.txt', content, index: true, tags: { of: 'integration' } });
  await upload(integration, { key: 'itsShared.txt', content, accessPolicies: ['integrations'] });
  await upload(client, { key: 'expiring.txt', content, expiresAt: new Date(clock.now() + 3_600_000).toISOString() });
  const { file: failed } = await client.uploadFile({ key: 'broken.json', content: '{', index: true });
  await untilStatus(client, failed.id, 'indexing_failed');
  const given = await upload(client, { key: 'given.txt', content });
  await client.setFilePassages({ id: given.id, passages: [{ content: 'zebra' }] });
  await untilStatus(client, given.id, 'indexing_completed');
  await client.copyFile({ idOrKey: 'indexed.txt', destinationKey: 'copy.txt' });
  const { file: pending } = await client.upsertFile({ key: 'pending.txt', size: 5, index: true, tags: { p: '1' } });
  await client.upsertFile({ key: 'shared.txt', size: 5 });
  return { pending };
}

/** Returns the names of all remaining data of a bot. */
const remains = async ({ id }: { id: string }) => ({
  items: await itemsWith(id, id),
  objects: await objectsOf(id),
  vectors: await vectorsOf(id),
});
const NOTHING = { items: [], objects: [], vectors: [] };

describe('a bot that was deleted', () => {
  it('leaves no item, object or vector of its files', { timeout: 60_000 }, async () => {
    const bot = await newBot();
    const { pending } = await fillWithFiles(bot);
    const { object } = (await recordOf(bot.id, pending.id)).pending!;
    const full = await remains(bot);

    await bot.workspace.owner.client.deleteBot({ id: bot.id });
    await sweep({ kind: 'bot', botId: bot.id, isSecondPass: true });
    // An announced upload arrives after the bot's deletion.
    await fetch(pending.uploadUrl, { method: 'PUT', body: 'hello', headers: { 'content-type': 'text/plain' } });
    await notifyOfObjects({ key: object, size: 5 });

    expect(full.objects).toHaveLength(8);
    expect(full.vectors.length).toBeGreaterThanOrEqual(4);
    await eventually(async () => expect(await remains(bot)).toEqual(NOTHING));
  });

  it('deletes everything despite repeated interruptions', { timeout: 60_000 }, async () => {
    const bot = await newBot();
    await fillWithFiles(bot);
    holdSweeps();
    await bot.workspace.owner.client.deleteBot({ id: bot.id });

    for (const pieces of [0, 1, 2, 3, 5, 8, 20, 50, 100]) {
      await sweep({ kind: 'bot', botId: bot.id, isSecondPass: true }, pieces);
    }
    await sweep({ kind: 'bot', botId: bot.id, isSecondPass: true });

    await eventually(async () => expect(await remains(bot)).toEqual(NOTHING));
  });

  it('deletes superseded passages that were not swept yet', async () => {
    const bot = await newBot();
    holdSweeps();
    await upload(bot.client, { key: 'a.txt', content: 'The okapi is shy.', index: true });
    const file = await upload(bot.client, { key: 'a.txt', content: 'The zebra is striped.', index: true });
    await putPassages(bot.id, file.id, 'orphaned', [{ content: 'giraffe', type: 'paragraph', breadcrumb: [] }]);
    await putTerms(bot.id, file.id, 'orphaned', ['giraffe']);
    await settled();

    await bot.workspace.owner.client.deleteBot({ id: bot.id });
    await sweep({ kind: 'bot', botId: bot.id, isSecondPass: true });

    await eventually(async () => expect(await remains(bot)).toEqual(NOTHING));
  });

  it('removes no file of another bot', async () => {
    const workspace = await newWorkspace();
    const [gone, stays] = [await newBot(workspace), await newBot(workspace)];
    for (const bot of [gone, stays])
      await upload(bot.client, { key: 'a.txt', content: 'The okapi is shy.', index: true });
    await settled();
    const before = await scanItems(stays.id);

    await workspace.owner.client.deleteBot({ id: gone.id });
    await sweep({ kind: 'bot', botId: gone.id, isSecondPass: true });

    expect(await scanItems(stays.id)).toEqual(before);
    expect((await stays.client.searchFiles({ query: 'okapi' })).passages).toHaveLength(1);
    expect(await vectorsOf(stays.id)).toHaveLength(1);
    expect(await objectsOf(stays.id)).toHaveLength(1);
  });
});

/** Tests that the lists of a fast-growing bot are spread over more partitions without omitting a record. */
import type { User } from '@botpress/client';
import { expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { widenLists } from '#shared/events/reactions/widenLists.ts';
import { findBot, widenBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { findWebhook } from '#shared/storage/dynamodb/chat/webhooks.ts';
import type { StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { rememberWideLists, shardFor } from '#shared/storage/dynamodb/partitioning/listShards.ts';
import { upload } from '#test/support/files.ts';
import { newBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const changesOf = (botId: string, count: number) => Array.from({ length: count }, () => ({ botId }) as StreamChange);

it('widens a bot with a hundred new records in one batch, and updates its webhooks', async () => {
  const bot = await newBot();
  const { installations, version } = (await findBot(bot.id))!;

  await widenLists(changesOf(bot.id, 99));
  expect((await findBot(bot.id))!.wideFromMs).toBeUndefined();

  await Promise.all([widenLists(changesOf(bot.id, 100)), widenLists(changesOf(bot.id, 100))]);
  const widened = (await findBot(bot.id))!;
  expect(widened.wideFromMs).toBeGreaterThan(clock.now() + 60_000);
  // Otherwise a concurrent change of the bot would overwrite it.
  expect(widened.version).toBe(version + 1);
  for (const { webhookId } of installations) {
    expect((await findWebhook(webhookId))!.wideFromMs).toBe(widened.wideFromMs);
  }
});

it('lists earlier and later records once in one order, even after changes and removals', async () => {
  const bot = await newBot();
  const tags = { kind: 'x' };
  const users: User[] = [];
  for (let i = 0; i < 5; i++) users.push((await bot.client.createUser({ tags, name: `${i}` })).user);
  const files = [];
  for (let i = 0; i < 5; i++) files.push(await upload(bot.client, { key: `${i}.txt`, content: `${i}`, tags }));

  const fromMs = clock.now() - 1;
  await widenBot(bot.id, fromMs);
  rememberWideLists(bot.id, fromMs);
  for (let i = 5; i < 15; i++) users.push((await bot.client.createUser({ tags, name: `${i}` })).user);
  for (let i = 5; i < 15; i++) files.push(await upload(bot.client, { key: `${i}.txt`, content: `${i}`, tags }));
  // The test is meaningless unless some new ones are in other partitions.
  expect(new Set(users.slice(5).map(({ id }) => shardFor(bot.id, id))).size).toBeGreaterThan(1);

  const listed = async (filter: object) =>
    (await bot.client.listUsers({ ...filter, pageSize: 50 })).users.map(({ id }) => id);
  const ids = users.map(({ id }) => id).reverse();
  expect(await listed({})).toEqual(ids);
  expect(await listed({ tags })).toEqual(ids);

  const sorted = async (filter: object) =>
    (await bot.client.listFiles({ ...filter, pageSize: 50 })).files.map(({ key }) => key);
  const keys = files.map(({ key }) => key);
  expect(await sorted({ sortField: 'createdAt', sortDirection: 'asc' })).toEqual(keys);
  expect(await sorted({ sortField: 'key', sortDirection: 'asc' })).toEqual([...keys].sort());
  expect((await sorted({ tags })).sort()).toEqual([...keys].sort());

  // An old file is updated, an old and a new file are deleted, and an old and a new user lose their tag.
  await upload(bot.client, { key: '0.txt', content: 'longer', tags });
  for (const gone of [files[1]!, files[6]!]) await bot.client.deleteFile({ id: gone.id });
  for (const { id } of [users[0]!, users[7]!]) await bot.client.updateUser({ id, tags: { kind: '' } });
  const left = keys.filter(key => key !== '1.txt' && key !== '6.txt');
  expect(await sorted({ sortField: 'key', sortDirection: 'asc' })).toEqual([...left].sort());
  expect(await sorted({ sortField: 'size', sortDirection: 'desc' })).toEqual(expect.arrayContaining(left));
  expect((await sorted({ sortField: 'size', sortDirection: 'desc' }))[0]).toBe('0.txt');
  expect(await listed({ tags })).toEqual(ids.filter(id => id !== users[0]!.id && id !== users[7]!.id));
});

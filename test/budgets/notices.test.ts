/** The cost of notices to members: a bot that nobody watches must not pay for them. */
import { expect, it } from 'vitest';
import { newConversationId } from '#shared/core/ids.ts';
import { requestNotices } from '#shared/events/reactions/requestNotices.ts';
import { parseStreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { conversationKey } from '#shared/storage/dynamodb/keys/chat.ts';
import { newBot, useSharedPlatform } from '#test/support/platform.ts';
import { watchBot } from '#test/support/sockets.ts';
import { streamRecord } from '#test/support/streamRecords.ts';
import { counted } from './counter.ts';

useSharedPlatform();

const batchOf = (botId: string, size: number) =>
  Array.from({ length: size }, () =>
    parseStreamChange(streamRecord(undefined, { ...conversationKey(botId, newConversationId()), id: 'x' })),
  );

it('costs one read unit for a batch of a bot that nobody watches, and no write', async () => {
  const bot = await newBot();

  const { calls, readUnits, writes } = await counted(() => requestNotices(batchOf(bot.id, 100)));

  expect({ calls, writes }).toEqual({ calls: 1, writes: 0 });
  expect(readUnits).toBeLessThanOrEqual(1);
});

it('costs one write for a batch of a watched bot', async () => {
  const bot = await newBot();
  const watcher = await watchBot(bot.id, bot.workspace.owner.token);

  const { calls, writes } = await counted(() => requestNotices(batchOf(bot.id, 50)));

  watcher.close();
  expect({ calls, writes }).toEqual({ calls: 2, writes: 1 });
});

/** Tests that the local stream of the table delivers changes. */
import { expect, it, onTestFinished, vi } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { newBot, newUser, settled, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const HOUR_MS = 3_600_000;

it('continues after the clock was set back', async () => {
  const bot = await newBot();
  const { client } = await newUser(bot);
  const ahead = vi.spyOn(clock, 'now').mockReturnValue(clock.now() + HOUR_MS);
  onTestFinished(() => ahead.mockRestore());
  const { conversation } = await client.createConversation({});
  await settled();
  ahead.mockRestore();

  await client.createMessage({ conversationId: conversation.id, payload: { type: 'text', text: 'Hello' } });

  const counts = async () => (await bot.client.listConversations({})).conversations.map(each => each.messageCount);
  await expect.poll(counts, { timeout: 10_000 }).toEqual([1]);
});

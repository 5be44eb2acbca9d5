/** Tests that activity is counted once despite repeated stream batches. */

import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { positionAt } from '#shared/core/ids.ts';
import { type Activity, countActivity } from '#shared/storage/dynamodb/chat/activity.ts';
import { eventually, newBotWithIntegration, newUser, newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const DAY_MS = 24 * 3600_000;
const iso = (ms: number) => new Date(ms).toISOString();

async function scene() {
  const workspace = await newWorkspace();
  const { bot, chatUrl } = await newBotWithIntegration(workspace);
  const { client } = await newUser({ chatUrl });
  const { conversation } = await client.createConversation({});
  const day = async (ms = clock.now()) =>
    (await workspace.owner.client.getBotAnalytics({ id: bot.id, startDate: iso(ms), endDate: iso(ms) })).records[0]!;
  const calls = async () =>
    (await workspace.owner.client.getUsage({ id: workspace.id, type: 'invocation_calls' })).usage.value;
  return { workspace, bot, client, conversationId: conversation.id, userId: client.user.id, day, calls };
}

const said = (conversationId: string, sequence: number, userId: string, atMs = clock.now()): Activity => ({
  conversationId,
  sequenceNumber: String(10n ** 23n + BigInt(sequence)),
  kind: 'message',
  generation: 0,
  isImported: false,
  userId,
  authorId: userId,
  position: positionAt(atMs),
  atMs,
});

describe('counting', () => {
  it('counts messages and events by user, day and month', async () => {
    const { client, conversationId, day, calls } = await scene();

    for (let i = 0; i < 7; i++) await client.createMessage({ conversationId, payload: { type: 'text', text: 't' } });
    await client.createEvent({ conversationId, payload: {} });

    await eventually(async () => {
      expect(await day()).toMatchObject({
        messages: 7,
        userMessages: 7,
        botMessages: 0,
        events: 1,
        sessions: 1,
        newUsers: 1,
        returningUsers: 0,
      });
      expect(await calls()).toBe(8);
    });
  });

  it('counts a repeated record once: alone, in its batch, and in other batches', async () => {
    const { workspace, bot, conversationId, userId, day, calls } = await scene();
    const records = [1, 2, 3, 4, 5].map(sequence => said(conversationId, sequence, userId));
    const count = (part: Activity[]) => countActivity(bot.id, part, workspace.id);

    await count(records.slice(0, 3));
    await count(records.slice(0, 3));
    await count(records.slice(1, 4));
    await count(records.slice(2, 3));
    await count(records);

    expect(await day()).toMatchObject({ userMessages: 5, sessions: 1, newUsers: 1 });
    expect(await calls()).toBe(5);
  });

  it('counts once when two functions process a record concurrently', async () => {
    const { workspace, bot, conversationId, userId, day, calls } = await scene();
    const records = [1, 2, 3].map(sequence => said(conversationId, sequence, userId));

    await Promise.all(Array.from({ length: 8 }, () => countActivity(bot.id, records, workspace.id)));

    expect(await day()).toMatchObject({ userMessages: 3 });
    expect(await calls()).toBe(3);
  });

  it('counts per day, and distinguishes new and returning users', async () => {
    const { workspace, bot, conversationId, userId, day } = await scene();
    const now = clock.now();

    await countActivity(
      bot.id,
      [
        said(conversationId, 1, userId, now),
        said(conversationId, 2, userId, now + DAY_MS),
        said(conversationId, 3, bot.id, now + DAY_MS),
      ],
      workspace.id,
    );

    expect(await day(now)).toMatchObject({ userMessages: 1, newUsers: 1, returningUsers: 0, sessions: 1 });
    expect(await day(now + DAY_MS)).toMatchObject({
      userMessages: 1,
      botMessages: 1,
      messages: 2,
      newUsers: 0,
      returningUsers: 1,
      sessions: 1,
    });
  });

  it('continues counting when a conversation is deleted and created again under its id', async () => {
    const { workspace, bot, client, day, calls } = await scene();
    await client.createConversation({ id: 'again' });
    await client.createMessage({ conversationId: 'again', payload: { type: 'text', text: 't' } });
    await eventually(async () => expect(await calls()).toBe(1));

    await client.deleteConversation({ id: 'again' });
    await client.createConversation({ id: 'again' });
    await client.createMessage({ conversationId: 'again', payload: { type: 'text', text: 't' } });

    await eventually(async () => expect(await calls()).toBe(2));
    expect(await day()).toMatchObject({ userMessages: 2 });
    expect(
      (await workspace.owner.client.breakDownWorkspaceUsageByBot({ id: workspace.id, type: 'invocation_calls' })).data,
    ).toEqual([{ botId: bot.id, value: 2 }]);
  });
});

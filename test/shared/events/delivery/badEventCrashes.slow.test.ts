/** Tests that a crash at any call during a permanent failure of an event loses nothing and keeps the order. */
import { afterEach, describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { hashText } from '#shared/core/ids.ts';
import { deliver } from '#shared/events/delivery/deliver.ts';
import { orderOfEvent } from '#shared/storage/dynamodb/chat/events.ts';
import { hasPausedConversations, pauseConversation } from '#shared/storage/dynamodb/delivery/pausedConversations.ts';
import { dieWithin } from '#test/support/crashes.ts';
import { startEndpoint, type TestEndpoint } from '#test/support/endpoint.ts';
import { eventually, isLeftOut, newBot, settled, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

/** Exceeds the AWS calls of a run. */
const MAX_CALLS = 40;
/** Sorts after the positions of events. */
const AFTER_ALL = '~';

const endpoints: TestEndpoint[] = [];
afterEach(() => {
  for (const each of endpoints.splice(0)) each.stop();
});

describe.skipIf(isLeftOut('faults'))('a function that dies during the last attempt', () => {
  it.each(['unsent', 'lost'] as const)(
    'leaves the event and the next one to the next run, at each call (%s)',
    {
      timeout: 60_000,
    },
    async death => {
      const bot = await newBot();
      const endpoint = await startEndpoint(({ body }, response) => {
        response.writeHead(body.event?.type === 'bad' ? 500 : 200).end('{}');
      });
      endpoints.push(endpoint);
      await bot.workspace.owner.client.updateBot({ id: bot.id, url: endpoint.url });
      const conversations = await Promise.all(
        Array.from({ length: MAX_CALLS }, async () => {
          const { conversation } = await bot.client.createConversation({ channel: 'channel', tags: {} });
          const conversationId = conversation.id;
          // The jobs of its events find it paused for an hour, and leave them pending.
          const [sinceMs, nextMs] = [clock.now(), clock.now() + 3_600_000];
          const none = { eventId: '', attempts: 0, badAttempts: 0, sinceMs, nextMs };
          await pauseConversation(bot.id, { ...none, conversationId, firstPosition: AFTER_ALL }, undefined);
          const make = async (type: string) =>
            (await bot.client.createEvent({ type, payload: {}, conversationId })).event;
          return { conversationId, bad: await make('bad'), next: await make('next') };
        }),
      );
      await settled();

      let deaths = 0;
      for (const [i, { conversationId, bad }] of conversations.entries()) {
        const { position: firstPosition } = orderOfEvent(bad.id);
        const nowMs = clock.now();
        const badAttempts = { badAttempts: 2, badAddressHash: hashText(endpoint.url) };
        const head = { eventId: bad.id, attempts: 2, ...badAttempts, sinceMs: nowMs, nextMs: nowMs };
        await pauseConversation(bot.id, { ...head, conversationId, firstPosition }, undefined);
        const run = () => deliver({ kind: 'drain', botId: bot.id, conversationId, firstPosition }, 1);
        if (await dieWithin({ at: i + 1, death }, run)) {
          deaths++;
          await run();
        }
      }

      expect(deaths).toBeGreaterThan(10);
      expect(deaths).toBeLessThan(MAX_CALLS);
      await eventually(async () => expect(await hasPausedConversations(bot.id)).toBe(false));
      for (const { bad, next } of conversations) {
        expect((await bot.client.getEvent({ id: bad.id })).event).toMatchObject({
          status: 'failed',
          failureReason: expect.stringContaining('after 3 attempts'),
        });
        expect((await bot.client.getEvent({ id: next.id })).event.status).toBe('processed');
        const ids = endpoint.events().map(({ id }) => id);
        expect(ids.lastIndexOf(bad.id)).toBeLessThan(ids.indexOf(next.id));
      }
    },
  );
});

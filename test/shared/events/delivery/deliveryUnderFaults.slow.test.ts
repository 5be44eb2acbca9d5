/**
 * Tests many concurrent conversations with random failures of the endpoint and killed functions: every event arrives,
 * in order per conversation.
 */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { deliver, fireTimers } from '#functions/events/index.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import { hasPausedConversations } from '#shared/storage/dynamodb/delivery/pausedConversations.ts';
import { startEndpoint, type TestEndpoint } from '#test/support/endpoint.ts';
import { killing } from '#test/support/kills.ts';
import { eventually, newBot, newUser, usePlatform } from '#test/support/platform.ts';
import { random } from '#test/support/seed.ts';

usePlatform();

/** A part of `FAULT_CONVERSATIONS=200 npx vitest run test/shared/events/delivery/deliveryUnderFaults.slow.test.ts`. */
const CONVERSATIONS = Number(process.env.FAULT_CONVERSATIONS ?? 40);
const MESSAGES = 20;
/** A busy machine delivers a few events in a second. */
const PATIENCE_MS = CONVERSATIONS * 6_000;
const WRITERS = 40;
const FAILING = 0.3;
const KILLED = 0.05;

let endpoint: TestEndpoint;
let kills: ReturnType<typeof killing>;
beforeAll(async () => {
  process.env[VARIABLES.firstPauseMs] = '1';
  kills = killing([deliver, fireTimers], KILLED);
  endpoint = await startEndpoint(({ operation }, response) => {
    const dice = operation === 'event_received' ? random() : 1;
    if (dice < FAILING / 3) return void response.writeHead(429).end();
    if (dice < (FAILING * 2) / 3) return void response.destroy();
    if (dice < FAILING) return void response.writeHead(503).end('{');
    response.end('{}');
  });
});
afterAll(() => {
  kills.stop();
  endpoint.stop();
  delete process.env[VARIABLES.firstPauseMs];
});

it('loses nothing and keeps the order', { timeout: PATIENCE_MS + 120_000 }, async () => {
  const bot = await newBot();
  await bot.workspace.owner.client.updateBot({ id: bot.id, url: endpoint.url });
  const { client } = await newUser(bot);
  const left = Array.from({ length: CONVERSATIONS }, (_, i) => i);

  await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      while (left.pop() !== undefined) {
        const { conversation } = await client.createConversation({});
        for (let i = 0; i < MESSAGES; i++) {
          const payload = { type: 'text' as const, text: String(i) };
          await client.createMessage({ conversationId: conversation.id, payload });
        }
      }
    }),
  );

  await eventually(async () => {
    expect(new Set(endpoint.events().map(({ id }) => id)).size).toBe(CONVERSATIONS * MESSAGES);
    expect((await bot.client.listEvents({ status: 'pending' })).events).toEqual([]);
  }, PATIENCE_MS);
  const heard = new Map<string, string[]>();
  for (const { conversationId, payload } of endpoint.events()) {
    const texts = heard.get(conversationId) ?? [];
    const { text } = payload.message.payload;
    // A failed event is retried before later ones of its conversation.
    if (texts.at(-1) !== text) texts.push(text);
    heard.set(conversationId, texts);
  }
  const inOrder = Array.from({ length: MESSAGES }, (_, i) => String(i));
  expect(heard.size).toBe(CONVERSATIONS);
  for (const texts of heard.values()) expect(texts).toEqual(inOrder);
  expect(kills.count()).toBeGreaterThan(0);
  await eventually(async () => expect(await hasPausedConversations(bot.id)).toBe(false));
  // No event failed permanently.
  expect((await bot.client.listEvents({ status: 'failed' })).events).toEqual([]);
});

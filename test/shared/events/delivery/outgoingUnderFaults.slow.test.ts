/**
 * Tests many concurrent conversations with random failures of an integration's endpoint: every message arrives once and
 * in order.
 */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { VARIABLES } from '#shared/core/environment.ts';
import { hasPausedConversations } from '#shared/storage/dynamodb/delivery/pausedConversations.ts';
import { destinationOf } from '#shared/storage/dynamodb/partitioning/destinations.ts';
import { startEndpoint, type TestEndpoint } from '#test/support/endpoint.ts';
import { installIntegration } from '#test/support/integration.ts';
import { apiBaseUrl, Client, eventually, usePlatform } from '#test/support/platform.ts';
import { random } from '#test/support/seed.ts';

usePlatform();

const CONVERSATIONS = 20;
const MESSAGES = 50;
const FAILING = 0.3;
/** A busy machine delivers a few messages in a second. */
const PATIENCE_MS = CONVERSATIONS * MESSAGES * 300;

let endpoint: TestEndpoint;
/** Ids of messages whose delivery received a 200, in order. */
const accepted: string[] = [];
beforeAll(async () => {
  process.env[VARIABLES.firstPauseMs] = '1';
  endpoint = await startEndpoint(({ operation, body }, response) => {
    const dice = operation === 'message_created' ? random() : 1;
    if (dice < FAILING / 3) return void response.writeHead(429).end();
    if (dice < (FAILING * 2) / 3) return void response.destroy();
    if (dice < FAILING) return void response.writeHead(503).end('{');
    if (operation === 'message_created') accepted.push(body.message.id);
    response.end('{}');
  });
});
afterAll(() => {
  endpoint.stop();
  delete process.env[VARIABLES.firstPauseMs];
});

it('neither loses nor duplicates anything, and keeps the order', { timeout: PATIENCE_MS + 120_000 }, async () => {
  const { botId, botKey, webhookId } = await installIntegration({
    url: endpoint.url,
    channels: { table: { messages: {} } },
  });
  const bot = new Client({ apiUrl: apiBaseUrl(), token: botKey, botId });
  const said = new Map<string, string[]>();

  await Promise.all(
    Array.from({ length: CONVERSATIONS }, async () => {
      const { conversation } = await bot.createConversation({ channel: 'table', tags: {}, integrationName: 'pizza' });
      const ids: string[] = [];
      said.set(conversation.id, ids);
      for (let i = 0; i < MESSAGES; i++) {
        const message = { conversationId: conversation.id, userId: botId, type: 'text', payload: { text: `${i}` } };
        ids.push((await bot.createMessage({ ...message, tags: {} })).message.id);
      }
    }),
  );

  await eventually(async () => expect(accepted.length).toBeGreaterThanOrEqual(CONVERSATIONS * MESSAGES), PATIENCE_MS);
  await eventually(
    async () => expect(await hasPausedConversations(destinationOf(botId, webhookId))).toBe(false),
    30_000,
  );
  expect(new Set(accepted).size).toBe(accepted.length);
  const conversationOf = new Map([...said].flatMap(([conversationId, ids]) => ids.map(id => [id, conversationId])));
  const heard = new Map<string, string[]>();
  for (const id of accepted) {
    const conversationId = conversationOf.get(id)!;
    heard.set(conversationId, [...(heard.get(conversationId) ?? []), id]);
  }
  expect(heard).toEqual(said);
  expect(endpoint.received.length).toBeGreaterThan(CONVERSATIONS * MESSAGES * (1 + FAILING / 2));
});

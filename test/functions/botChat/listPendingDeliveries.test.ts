import { afterEach, describe, expect, it } from 'vitest';
import { type DeadEndpoint, newDeadEndpoint } from '#test/support/deadEndpoint.ts';
import { newConversation, newTalk } from '#test/support/handoffs.ts';
import { isLeftOut, newBot, settled, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let dead: DeadEndpoint | undefined;
afterEach(() => dead?.stop());

const pendingOf = (bot: TestBot, conversationId: string, token = bot.tokens.bot) =>
  bot.call('GET', `/conversations/${conversationId}/pending-deliveries`, { token });
const retry = (bot: TestBot, id: string) =>
  bot.call('POST', `/messages/${id}/retry`, { token: bot.tokens.bot, body: {} });

describe('GET /v1/chat/conversations/{id}/pending-deliveries', () => {
  // A deployed function cannot reach this process.
  it.skipIf(isLeftOut('faults'))(
    'lists the messages to a dead endpoint, in order, until a retry delivers them',
    async () => {
      dead = await newDeadEndpoint();
      const bot = await newBot();
      await bot.workspace.owner.client.updateBot({ id: bot.id, url: dead.url });
      const { conversationId, say } = await newTalk(bot);
      const ids = [await say('one'), await say('two')];
      await settled();

      const { body } = await pendingOf(bot, conversationId);
      await dead.start();
      const retried = await retry(bot, ids[1]!);
      await settled();

      expect(body.deliveries).toMatchObject([
        { messageId: ids[0], attempts: 1, reason: expect.stringContaining('could not be called') },
        { messageId: ids[1], attempts: 0 },
      ]);
      expect(Date.parse(body.deliveries[0].nextAttemptAt)).toBeGreaterThan(Date.parse(body.deliveries[0].since));
      expect(retried.status).toBe(200);
      expect(dead.received.filter(each => each === 'event_received')).toHaveLength(2);
      expect((await pendingOf(bot, conversationId)).body).toEqual({ deliveries: [] });
    },
  );

  it.skipIf(isLeftOut('faults'))(
    "lists the bot's messages to a dead integration until a retry delivers them",
    async () => {
      dead = await newDeadEndpoint();
      const bot = await newBot();
      const { client } = bot.workspace.owner;
      const { integration } = await client.createIntegration({ name: 'mail', version: '1.0.0', url: dead.url });
      await client.updateBot({ id: bot.id, integrations: { mail: { integrationId: integration.id } } });
      const { value } = await client.createIntegrationApiKey({ integrationId: integration.id });
      const mail = bot.clientOf(value, { integrationAlias: 'mail' });
      const { conversation } = await mail.createConversation({ channel: 'channel', tags: {} });
      const said = { conversationId: conversation.id, userId: bot.id, type: 'text', tags: {} };
      const { message } = await bot.client.createMessage({ ...said, payload: { text: 'hello' } });
      await settled();

      const { body } = await pendingOf(bot, conversation.id);
      await dead.start();
      const retried = await retry(bot, message.id);
      await settled();

      expect(body.deliveries).toMatchObject([{ messageId: message.id, integrationAlias: 'mail', attempts: 1 }]);
      expect(retried.status).toBe(200);
      expect(dead.received).toContain('message_created');
      expect((await pendingOf(bot, conversation.id)).body).toEqual({ deliveries: [] });
    },
  );

  it('lists nothing without pending deliveries, and returns 404 for an unknown conversation', async () => {
    const bot = await newBot();
    const other = await newBot();
    const conversationId = await newConversation(bot);

    const answers = [
      await pendingOf(bot, conversationId),
      await pendingOf(other, conversationId),
      await pendingOf(bot, 'no-such'),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 404, 404]);
    expect(answers[0]!.body).toEqual({ deliveries: [] });
  });
});

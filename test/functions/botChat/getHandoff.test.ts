import { beforeAll, describe, expect, it } from 'vitest';
import { handoffsOf, newWaiting } from '#test/support/handoffs.ts';
import { newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

describe('GET /v1/chat/handoffs/{id}', () => {
  it('returns the handoff to the bot, a viewer and an agent', async () => {
    const { id, conversationId } = await newWaiting(bot);
    const [viewer, agent] = [await bot.workspace.join('viewer'), await bot.workspace.join('agent')];

    const answers = await Promise.all([bot.tokens.bot, viewer.token, agent.token].map(t => handoffsOf(bot, t).get(id)));

    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(body.handoff).toMatchObject({ id, conversationId, status: 'waiting' });
    }
  });

  it('returns 404 for an unknown handoff, one of another bot, and one outside the named installation', async () => {
    const { id } = await newWaiting(bot);
    const { integration } = await bot.workspace.owner.client.createIntegration({ name: 'mail', version: '1.0.0' });
    await bot.workspace.owner.client.updateBot({
      id: bot.id,
      integrations: { mail: { integrationId: integration.id, enabled: true } },
    });
    const other = await newBot(bot.workspace);

    const answers = [
      await handoffsOf(bot).get('no-such'),
      await handoffsOf(bot).get(`handoff_${'0'.repeat(32)}`),
      await handoffsOf(other).get(id),
      await bot.call('GET', `/handoffs/${id}`, { headers: { 'x-integration-alias': 'mail' } }),
    ];

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });
});

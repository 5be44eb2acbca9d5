import { beforeAll, describe, expect, it } from 'vitest';
import { newConversation, newTalk } from '#test/support/handoffs.ts';
import { call, newBot, settled, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
let agent: Awaited<ReturnType<TestBot['workspace']['join']>>;
beforeAll(async () => {
  bot = await newBot();
  agent = await bot.workspace.join('agent');
});

const create = (conversationId: string, body: unknown, token = agent.token) =>
  bot.call('POST', `/conversations/${conversationId}/notes`, { token, body });

describe('POST /v1/chat/conversations/{conversationId}/notes', () => {
  it('creates a note of a member or the bot', async () => {
    const conversationId = await newConversation(bot);

    const ofAgent = await create(conversationId, { text: 'Angry' });
    const ofBot = await create(conversationId, { text: 'Summary' }, bot.tokens.bot);

    expect(ofAgent).toMatchObject({
      status: 201,
      body: {
        note: {
          id: expect.stringMatching(/^note_[0-9A-Za-z]{32}$/),
          conversationId,
          createdAt: expect.any(String),
          author: { type: 'member', id: agent.accountId },
          text: 'Angry',
        },
      },
    });
    expect(ofBot.body.note.author).toEqual({ type: 'bot', id: bot.id, name: 'Bot' });
  });

  it('hides notes from end users, integrations and the bot’s endpoint', async () => {
    const { client, conversationId } = await newTalk(bot);

    await create(conversationId, { text: 'Secret' });
    await settled();

    const seen = [
      await client.listMessages({ conversationId }),
      await client.getConversation({ id: conversationId }),
      await bot.client.listMessages({ conversationId }),
      await bot.client.listEvents({ conversationId }),
      await call(`${bot.chatUrl}/conversations/${conversationId}/notes`),
      await bot.call('GET', `/conversations/${conversationId}/notes`, { token: bot.tokens.integration }),
    ];
    expect(JSON.stringify(seen)).not.toContain('Secret');
    expect(seen.at(-1)).toMatchObject({ status: 403 });
  });

  it('returns 400 without a text, 404 for an unknown conversation, and 403 to a viewer', async () => {
    const conversationId = await newConversation(bot);
    const viewer = await bot.workspace.join('viewer');

    const answers = [
      await create(conversationId, { text: '' }),
      await create('no-such', { text: 'a' }),
      await create(conversationId, { text: 'a' }, viewer.token),
    ];

    expect(answers.map(({ status }) => status)).toEqual([400, 404, 403]);
  });
});

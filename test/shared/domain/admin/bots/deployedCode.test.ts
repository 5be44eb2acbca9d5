/** Tests `updateBot({ code })`: the platform runs the code, which replies to a chat message. */
import { expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { replyingWith } from '#test/support/deployedCode.ts';
import { apiBaseUrl, eventually, newBot, newUser, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const CODE = replyingWith(
  "(console.log('Answering', message.payload.text), message.payload.text + ', ' + process.env.SECRET_WORD)",
  'process.env.SECRET_API_URL',
);

it('runs the code, which returns a chat message and writes to the log', async () => {
  const bot = await newBot();
  const { client: owner } = bot.workspace.owner;
  // The URL in the code's environment is AWS's, which does not reach an emulated deployment.
  const { bot: updated } = await owner.updateBot({
    id: bot.id,
    code: CODE,
    secrets: { API_URL: apiBaseUrl(), word: 'xyzzy' },
  });
  expect(updated).toMatchObject({ status: 'active', secrets: ['API_URL', 'word'] });
  const { client } = await newUser({ chatUrl: bot.chatUrl });
  const { conversation } = await client.createConversation({});
  await client.createMessage({ conversationId: conversation.id, payload: { type: 'text', text: 'hello' } });

  await eventually(async () => {
    const { messages } = await client.listMessages({ conversationId: conversation.id });
    expect(messages.map(({ payload }) => (payload as { text: string }).text)).toEqual(['hello, xyzzy', 'hello']);
  });
  const { bot: shown } = await owner.getBot({ id: bot.id });
  expect(shown.status).toBe('active');
  await eventually(async () => {
    const { logs } = await owner.getBotLogs({ id: bot.id, timeStart: new Date(clock.now() - 600_000).toISOString() });
    expect(logs).toContainEqual(expect.objectContaining({ level: 'info', message: 'Answering hello' }));
  });
});

it('reports why code could not be loaded', async () => {
  const bot = await newBot();
  const { client: owner } = bot.workspace.owner;

  await owner.updateBot({ id: bot.id, code: 'this is no code' });

  await eventually(async () => {
    const { bot: shown } = await owner.getBot({ id: bot.id });
    expect(shown).toMatchObject({
      status: 'active',
      statusReason: expect.stringMatching(
        /^The code could not be loaded: code.cjs:1\n.*\n.*\n\nSyntaxError: Unexpected identifier 'is'\.?$/,
      ),
    });
  });
});

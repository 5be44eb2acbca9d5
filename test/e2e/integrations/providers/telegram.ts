/** Telegram: a webhook set by `register`, messages in both directions, an action, and a wrong token. */
import assert from 'node:assert/strict';
import type { ProviderTest } from '../exchange.ts';
import { post } from '../signatures.ts';
import { type ProviderCall, ProviderError } from '../standIn.ts';

const TOKEN = '1:right';
const CHAT = { id: 4242, type: 'private' };

const answer =
  (result: (call: ProviderCall) => unknown = () => true) =>
  (call: ProviderCall) => {
    if (!call.route.includes(`/bot${TOKEN}/`))
      throw new ProviderError(401, { ok: false, error_code: 401, description: 'Unauthorized' });
    return { ok: true, result: result(call) };
  };

export const telegram: ProviderTest = {
  answers: {
    'POST api.telegram.org/{bot}/setWebhook': answer(),
    'POST api.telegram.org/{bot}/deleteWebhook': answer(),
    'POST api.telegram.org/{bot}/sendChatAction': answer(),
    'POST api.telegram.org/{bot}/setMessageReaction': answer(),
    'POST api.telegram.org/{bot}/getMe': answer(() => ({ id: 1, is_bot: true, first_name: 'Bot', username: 'pizzas' })),
    'POST api.telegram.org/{bot}/getUserProfilePhotos': answer(() => ({ total_count: 0, photos: [] })),
    'POST api.telegram.org/{bot}/sendMessage': answer(({ body }) => ({
      message_id: 77,
      date: 1,
      chat: CHAT,
      text: body.text,
    })),
  },

  async run({ install, asked, received, reply, act, say }) {
    const failed = await install({ botToken: '1:wrong' });
    assert.equal(failed.status, 'registration_failed');
    assert.match(String(failed.statusReason), /token/i);
    say(`a wrong token is registration_failed: ${failed.statusReason}`);

    const { status, webhookUrl } = await install({ botToken: TOKEN });
    assert.equal(status, 'registered');
    const { body } = await asked(`POST api.telegram.org/bot${TOKEN}/setWebhook`);
    assert.equal(body.url, webhookUrl);
    say('register sets the webhook');

    const from = { id: 42, is_bot: false, first_name: 'Ada' };
    const message = { message_id: 7, date: 1, chat: CHAT, from, text: 'Hello' };
    assert.equal((await post(webhookUrl, { update_id: 1, message })).status, 200);
    const { id: messageId, conversationId } = await received('Hello');
    await reply(conversationId, 'Hi Ada');
    const sent = await asked(`POST api.telegram.org/bot${TOKEN}/sendMessage`);
    assert.deepEqual([String(sent.body.chat_id), sent.body.text], ['4242', 'Hi Ada']);
    say("receives a user's message and sends the reply");

    await act('startTypingIndicator', { conversationId, messageId });
    await asked(`POST api.telegram.org/bot${TOKEN}/sendChatAction`);
    say('an action shows that the bot is typing');
  },
};

/** WhatsApp: the webhook of a Meta app, its verification, signed messages, and the reply. */
import assert from 'node:assert/strict';
import type { ProviderTest } from '../exchange.ts';
import { hmac, post } from '../signatures.ts';

const [APP, PHONE, ACCOUNT] = ['777', '106540352242922', '102290129340398'];
const configuration = {
  ...{ verifyToken: 'verify', accessToken: 'meta-token', appId: APP, clientSecret: 'app-secret' },
  ...{ defaultBotPhoneNumberId: PHONE, messageReadBehavior: 'typing_indicator', typingIndicatorEmoji: false },
  downloadMedia: true,
};
const SECRETS = [
  ...['CLIENT_ID', 'CLIENT_SECRET', 'OAUTH_CONFIG_ID', 'VERIFY_TOKEN', 'ACCESS_TOKEN', 'NUMBER_PIN', 'POSTHOG_KEY'],
  ...['SANDBOX_ACCESS_TOKEN', 'SANDBOX_CLIENT_SECRET', 'SANDBOX_PHONE_NUMBER_ID', 'SANDBOX_VERIFY_TOKEN'],
];

export const whatsapp: ProviderTest = {
  // For the vendor's own Meta app, which a manual configuration does not use.
  secrets: Object.fromEntries(SECRETS.map(name => [name, 'unused'])),

  answers: {
    'GET graph.facebook.com/app': () => ({ id: APP }),
    [`POST graph.facebook.com/v22.0/${APP}/subscriptions`]: () => ({ success: true }),
    [`POST graph.facebook.com/v22.0/${PHONE}/messages`]: ({ body }) =>
      body.status === 'read' ? { success: true } : { messaging_product: 'whatsapp', messages: [{ id: 'wamid.2' }] },
  },

  async run({ install, asked, received, reply, say }) {
    const { status, webhookUrl } = await install(configuration, 'manual');
    assert.equal(status, 'registered');
    const { headers } = await asked('GET graph.facebook.com/app');
    assert.equal(headers.authorization, 'Bearer meta-token');
    const { body: subscription, query } = await asked('POST graph.facebook.com/v22.0/{app}/subscriptions');
    assert.deepEqual([subscription.callback_url, subscription.verify_token], [webhookUrl, 'verify']);
    assert.equal(query.get('access_token'), `${APP}|app-secret`);
    say('register checks the token and subscribes the webhook of the app');

    const verification = (token: string) =>
      fetch(`${webhookUrl}?hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=1158201444`);
    assert.equal((await verification('wrong')).status, 403);
    assert.equal(await (await verification('verify')).text(), '1158201444');
    const contacts = [{ profile: { name: 'Ada' }, wa_id: '16505551234' }];
    const messages = [
      { from: '16505551234', id: 'wamid.1', timestamp: '1700000000', type: 'text', text: { body: 'Hello' } },
    ];
    const metadata = { display_phone_number: '15550783881', phone_number_id: PHONE };
    const value = { messaging_product: 'whatsapp', metadata, contacts, messages };
    const entry = [{ id: ACCOUNT, changes: [{ field: 'messages', value }] }];
    const notify = (secret: string) =>
      post(webhookUrl, { object: 'whatsapp_business_account', entry }, text => ({
        'x-hub-signature-256': `sha256=${hmac(secret, text)}`,
      }));
    assert.equal((await notify('wrong')).status, 401);
    assert.equal((await notify('app-secret')).status, 200);
    const { conversationId } = await received('Hello');
    const read = await asked('POST graph.facebook.com/v22.0/{phone}/messages', ({ body }) => body.status === 'read');
    assert.equal(read.body.message_id, 'wamid.1');
    say('verifies the URL, rejects a wrong signature, receives a signed message and marks it as read');

    await reply(conversationId, 'Hi **Ada**');
    const { body } = await asked('POST graph.facebook.com/v22.0/{phone}/messages', ({ body }) => body.type === 'text');
    assert.deepEqual([body.to.replace('+', ''), body.text.body], ['16505551234', 'Hi *Ada*']);
    say("sends the reply in WhatsApp's markup");
  },
};

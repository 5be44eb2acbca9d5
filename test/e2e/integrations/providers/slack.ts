/** Slack: OAuth, signed events at both webhooks, a message in both directions, and an action. */
import assert from 'node:assert/strict';
import type { ProviderTest } from '../exchange.ts';
import { hmac, post } from '../signatures.ts';

const [TEAM, BOT, USER, CHANNEL] = ['T01', 'U0BOT', 'U0ADA', 'D01'];
const TOKEN = 'xoxe.xoxb-short-lived';
const secrets = { CLIENT_ID: 'client', CLIENT_SECRET: 'client-secret', SIGNING_SECRET: 'signing-secret' };
const SCOPES = [
  ...['channels:history', 'channels:manage', 'channels:read', 'chat:write', 'files:read', 'files:write'],
  ...['groups:history', 'groups:read', 'groups:write', 'im:history', 'im:read', 'im:write'],
  ...['mpim:history', 'mpim:read', 'mpim:write', 'reactions:read', 'reactions:write', 'team:read'],
  ...['users.profile:read', 'users:read', 'users:read.email'],
];

export const slack: ProviderTest = {
  secrets,

  answers: {
    'POST slack.com/api/oauth.v2.access': () => ({
      ...{ ok: true, access_token: TOKEN, refresh_token: 'xoxe-refresh', expires_in: 43_200 },
      ...{ scope: SCOPES.join(','), bot_user_id: BOT, team: { id: TEAM } },
    }),
    'POST slack.com/api/auth.test': () => ({ ok: true, team_id: TEAM, user_id: BOT }),
    'POST slack.com/api/users.profile.get': () => ({
      ok: true,
      profile: { real_name: 'Ada', image_192: 'https://example.com/ada.png' },
    }),
    'POST slack.com/api/chat.postMessage': ({ body }) => ({
      ok: true,
      message: { ts: '1700000001.000200', user: BOT, text: body.text },
    }),
    'POST slack.com/api/reactions.add': () => ({ ok: true }),
  },

  async run({ bot, sharedUrl, install, registered, connect, asked, received, reply, act, say }) {
    const unconnected = await install();
    assert.equal(unconnected.status, 'registration_failed');
    const browser = await connect(unconnected);
    await browser.open('', { code: 'consented' });
    const exchanged = await asked('POST slack.com/api/oauth.v2.access');
    assert.deepEqual([exchanged.body.code, exchanged.body.client_secret], ['consented', secrets.CLIENT_SECRET]);
    const { identifier, webhookUrl } = await registered();
    assert.equal(identifier, TEAM);
    const { headers } = await asked('POST slack.com/api/auth.test');
    assert.equal(headers.authorization, `Bearer ${TOKEN}`);
    say('OAuth connects the workspace, and register tests its token');

    for (const url of [webhookUrl, sharedUrl]) {
      const challenge = await post(url, { type: 'url_verification', challenge: 'abc' });
      assert.deepEqual(await challenge.json(), { challenge: 'abc' });
    }
    const notify = (event: object, secret: string, url = webhookUrl) =>
      post(url, { type: 'event_callback', team_id: TEAM, event }, text => {
        const at = String(Math.floor(Date.now() / 1_000));
        return { 'x-slack-request-timestamp': at, 'x-slack-signature': `v0=${hmac(secret, `v0:${at}:${text}`)}` };
      });
    const ts = '1700000000.000100';
    const message = { type: 'message', channel: CHANNEL, user: USER, text: 'Hello', ts };
    assert.equal((await notify(message, 'wrong')).status, 400);
    assert.equal((await notify(message, secrets.SIGNING_SECRET)).status, 200);
    const { conversationId, userId, id: messageId } = await received('Hello');
    const { user } = await bot.client.getUser({ id: userId });
    assert.deepEqual([user.name, user.tags['slack:id']], ['Ada', USER]);
    say('verifies the URL, rejects a wrong signature, receives a signed message with its author');

    const shared = { ...message, text: 'Shared', ts: '1700000000.000101' };
    assert.equal((await notify(shared, secrets.SIGNING_SECRET, sharedUrl)).status, 200);
    await received('Shared');
    say('receives a message at the shared webhook, by the id of the workspace');

    await reply(conversationId, 'Hi *Ada*');
    const { body } = await asked('POST slack.com/api/chat.postMessage');
    assert.equal(body.channel, CHANNEL);
    assert.match(body.text, /^Hi .*Ada/);
    say('posts the reply in the channel');

    await act('addReaction', { messageId, name: 'wave' });
    const reaction = await asked('POST slack.com/api/reactions.add');
    assert.deepEqual([reaction.body.channel, reaction.body.timestamp, reaction.body.name], [CHANNEL, ts, 'wave']);
    say('an action adds a reaction to the message');
  },
};

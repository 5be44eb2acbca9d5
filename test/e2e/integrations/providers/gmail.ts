/** Gmail: an authorization code, a Pub/Sub push with Google's token, a mail, and the reply to it. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import type { ProviderTest } from '../exchange.ts';
import { post } from '../signatures.ts';
import { ProviderError } from '../standIn.ts';

const [SHARED_SECRET, ACCOUNT, PUSHER] = ['shared', 'pizzas@example.com', 'pusher@project.iam.gserviceaccount.com'];
const configuration = {
  ...{ oauthClientId: 'client.apps.googleusercontent.com', oauthClientSecret: 'client-secret' },
  ...{ oauthAuthorizationCode: 'consented', pubsubTopicName: 'projects/pizzas/topics/mail' },
  ...{ pubsubWebhookSharedSecret: SHARED_SECRET, pubsubWebhookServiceAccount: PUSHER },
};
const SECRETS = ['CLIENT_ID', 'CLIENT_SECRET', 'TOPIC_NAME', 'WEBHOOK_SHARED_SECRET', 'WEBHOOK_SERVICE_ACCOUNT'];
const google = generateKeyPairSync('rsa', { modulusLength: 2048 });
const base64 = (text: string) => Buffer.from(text).toString('base64url');
const header = (name: string, value: string) => ({ name, value });

const mail = {
  ...{ id: 'mail1', threadId: 'thread1', historyId: '1001', labelIds: ['INBOX'], snippet: 'Is it open?' },
  payload: {
    mimeType: 'text/plain',
    headers: [
      header('From', 'Ada <ada@example.com>'),
      header('To', ACCOUNT),
      header('Subject', 'Sunday'),
      header('Message-ID', '<1@example.com>'),
    ],
    body: { size: 11, data: base64('Is it open?') },
  },
};

export const gmail: ProviderTest = {
  // For the vendor's own Google app, which a custom app does not use.
  secrets: Object.fromEntries([...SECRETS, 'POSTHOG_KEY'].map(name => [name, 'unused'])),

  answers: {
    'POST oauth2.googleapis.com/token': ({ body }) => {
      const token = { access_token: 'google-token', expires_in: 3_600, token_type: 'Bearer' };
      if (body.grant_type === 'refresh_token' && body.refresh_token === 'google-refresh') return token;
      if (body.code === 'consented') return { ...token, refresh_token: 'google-refresh' };
      throw new ProviderError(400, { error: 'invalid_grant' });
    },
    // Google has certificates here; the keys in them suffice to verify a signature.
    'GET www.googleapis.com/oauth2/v1/certs': () => ({
      current: google.publicKey.export({ type: 'spki', format: 'pem' }),
    }),
    'POST gmail.googleapis.com/gmail/v1/users/me/watch': () => ({ historyId: '900', expiration: '1800000000000' }),
    'GET gmail.googleapis.com/gmail/v1/users/me/history': () => ({
      history: [{ id: '1001', messagesAdded: [{ message: { id: mail.id, threadId: mail.threadId } }] }],
      historyId: '1001',
    }),
    'GET gmail.googleapis.com/gmail/v1/users/me/messages/mail1': () => mail,
    'POST gmail.googleapis.com/gmail/v1/users/me/messages/send': ({ body }) => ({
      id: 'mail2',
      threadId: body.threadId,
    }),
  },

  async run({ install, asked, received, reply, say }) {
    const { status, webhookUrl } = await install(configuration, 'customApp');
    assert.equal(status, 'registered');
    const code = await asked('POST oauth2.googleapis.com/token', ({ body }) => body.code);
    assert.equal(code.body.client_secret, 'client-secret');
    const watch = await asked('POST gmail.googleapis.com/gmail/v1/users/me/watch');
    assert.equal(watch.body.topicName, configuration.pubsubTopicName);
    assert.equal(watch.headers.authorization, 'Bearer google-token');
    say('register exchanges the authorization code and watches the mailbox');

    const push = async (email: string) => {
      const token = await new SignJWT({ email, email_verified: true })
        .setProtectedHeader({ alg: 'RS256', kid: 'current' })
        .setIssuer('https://accounts.google.com')
        .setAudience(SHARED_SECRET)
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(google.privateKey);
      const data = base64(JSON.stringify({ emailAddress: ACCOUNT, historyId: 1001 }));
      return post(`${webhookUrl}?shared_secret=${SHARED_SECRET}`, { message: { data, messageId: '1' } }, () => ({
        authorization: `Bearer ${token}`,
      }));
    };
    assert.equal((await push('other@project.iam.gserviceaccount.com')).status, 400);
    assert.equal((await push(PUSHER)).status, 200);
    const { conversationId } = await received('Is it open?');
    say('rejects a push of another account, receives the mail that a signed push announces');

    await reply(conversationId, 'Until ten.');
    const { body } = await asked('POST gmail.googleapis.com/gmail/v1/users/me/messages/send');
    assert.equal(body.threadId, 'thread1');
    const raw = Buffer.from(body.raw, 'base64url').toString();
    for (const line of ['To: ada@example.com', 'Subject: Sunday', 'In-Reply-To: <1@example.com>', 'Until ten.']) {
      assert.ok(raw.split('\r\n').includes(line), `${line} is missing in ${raw}`);
    }
    say('sends the reply in the thread');
  },
};

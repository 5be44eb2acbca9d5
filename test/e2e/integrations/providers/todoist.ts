/** Todoist: OAuth, which names and tags the bot's own user; inbound tasks and comments, an outbound comment. */
import assert from 'node:assert/strict';
import type { ProviderTest } from '../exchange.ts';
import { hmac, post } from '../signatures.ts';
import { ProviderError } from '../standIn.ts';

const ACCOUNT = '2671355';
const [CODE, TOKEN] = ['consented', 'todoist-token'];
const secrets = { CLIENT_ID: 'client', CLIENT_SECRET: 'client-secret', WEBHOOK_SHARED_SECRET: 'shared' };

export const todoist: ProviderTest = {
  secrets,

  answers: {
    'POST todoist.com/oauth/access_token': ({ body }) => {
      if (body.code !== CODE) throw new ProviderError(400, { error: 'bad_authorization_code' });
      return { access_token: TOKEN, token_type: 'Bearer' };
    },
    'GET api.todoist.com/sync/v9/user': () => ({ id: ACCOUNT, full_name: 'Ada' }),
    'POST api.todoist.com/rest/v2/comments': ({ body: { task_id, content } }) => ({
      ...{ id: '77', task_id, content, project_id: null, attachment: null },
      posted_at: '2026-01-01T00:00:00Z',
    }),
  },

  async run({ bot, install, registered, connect, asked, heard, received, reply, say }) {
    const unconnected = await install();
    assert.equal(unconnected.status, 'registration_failed');
    assert.match(String(unconnected.statusReason), /authenticate/i);
    const browser = await connect(unconnected);
    const consent = await browser.open('', { code: CODE });
    assert.match(consent.headers.get('location') ?? '', /success=true$/);
    const exchanged = await asked('POST todoist.com/oauth/access_token');
    assert.equal(exchanged.body.client_secret, secrets.CLIENT_SECRET);
    const { identifier, webhookUrl } = await registered();
    assert.equal(identifier, ACCOUNT);
    const { headers } = await asked('GET api.todoist.com/sync/v9/user');
    assert.equal(headers.authorization, `Bearer ${TOKEN}`);
    const { user: itself } = await bot.client.getUser({ id: bot.id });
    assert.deepEqual([itself.name, itself.tags], ['Ada', { 'todoist:id': ACCOUNT }]);
    say("OAuth connects the account, which names and tags the bot's own user");

    const initiator = { id: '9', email: 'ada@example.com', full_name: 'Ada', image_id: null };
    const notify = async (event: object) => {
      const url = `${webhookUrl}?shared_secret=${secrets.WEBHOOK_SHARED_SECRET}`;
      const response = await post(url, { user_id: ACCOUNT, initiator, ...event }, text => ({
        'x-todoist-hmac-sha256': hmac(secrets.CLIENT_SECRET, text, 'base64'),
      }));
      assert.equal(response.status, 200);
    };
    const task = { id: '5', user_id: '9', content: 'Buy milk', description: '', priority: 4 };
    await notify({ event_name: 'item:added', event_data: task });
    assert.deepEqual(await heard('taskAdded'), { id: '5', content: 'Buy milk', description: '', priority: 1 });
    await notify({
      event_name: 'note:added',
      event_data: { id: '6', posted_uid: '9', item_id: '5', content: 'Oat milk?' },
    });
    const { conversationId } = await received('Oat milk?');
    await reply(conversationId, 'Yes');
    const { body } = await asked('POST api.todoist.com/rest/v2/comments');
    assert.deepEqual([body.task_id, body.content], ['5', 'Yes']);
    say('receives a task and a comment, and adds the reply to the task');
  },
};

/** Notion, which has no channels: a signed comment becomes an event, and an action adds a comment. */
import assert from 'node:assert/strict';
import type { ProviderTest } from '../exchange.ts';
import { hmac, post } from '../signatures.ts';

const [TOKEN, SECRET, PAGE] = ['ntn_1', 'secret_1', '0ef104cd-477e-80e1-8571-cfd10e92339a'];
const SECRETS = ['CLIENT_ID', 'CLIENT_SECRET', 'WEBHOOK_VERIFICATION_SECRET', 'POSTHOG_KEY'];

export const notion: ProviderTest = {
  // For the vendor's own Notion app, which a custom app does not use.
  secrets: Object.fromEntries(SECRETS.map(name => [name, 'unused'])),

  answers: {
    'GET api.notion.com/v1/users/me': () => ({ object: 'user', id: 'bot', type: 'bot', name: 'Pizzas' }),
    'POST api.notion.com/v1/comments': () => ({ object: 'comment', id: 'comment2', discussion_id: 'discussion1' }),
  },

  async run({ install, asked, heard, act, say }) {
    const configuration = { internalIntegrationSecret: TOKEN, webhookVerificationSecret: SECRET };
    const { status, webhookUrl } = await install(configuration, 'customApp');
    assert.equal(status, 'registered');
    const { headers } = await asked('GET api.notion.com/v1/users/me');
    assert.equal(headers.authorization, `Bearer ${TOKEN}`);
    say('register tests the token');

    assert.equal((await post(webhookUrl, { verification_token: SECRET })).status, 200);
    const comment = {
      ...{ id: 'event1', type: 'comment.created', workspace_id: 'workspace1', workspace_name: 'Pizzas' },
      ...{ entity: { id: 'comment1', type: 'comment' }, data: { page_id: PAGE } },
    };
    const notify = (secret: string) =>
      post(webhookUrl, comment, text => ({ 'x-notion-signature': `sha256=${hmac(secret, text)}` }));
    assert.equal((await notify('wrong')).status, 400);
    assert.equal((await notify(SECRET)).status, 200);
    const created = await heard('commentCreated');
    assert.deepEqual([created.entity.id, created.data.page_id], ['comment1', PAGE]);
    say('verifies the URL, rejects a wrong signature, creates an event for a signed comment');

    const added = await act('addComment', { parentType: 'page', parentId: PAGE, commentBody: 'Thanks' });
    assert.deepEqual(added, { commentId: 'comment2', discussionId: 'discussion1' });
    const { body } = await asked('POST api.notion.com/v1/comments');
    assert.deepEqual([body.parent.page_id, body.rich_text], [PAGE, [{ type: 'text', text: { content: 'Thanks' } }]]);
    say('an action adds a comment to the page');
  },
};

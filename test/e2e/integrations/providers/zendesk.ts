/** Zendesk: OAuth by a wizard, a ticket that an action opens, and comments on it in both directions. */
import assert from 'node:assert/strict';
import type { ProviderTest } from '../exchange.ts';
import { post } from '../signatures.ts';

const HOST = 'pizzas.zendesk.com';
const [TICKET, AGENT] = ['700', '31'];
const secrets = { CLIENT_ID: 'client', CLIENT_SECRET: 'client-secret', CODE_CHALLENGE: 'verifier' };

export const zendesk: ProviderTest = {
  secrets,

  answers: {
    [`POST ${HOST}/oauth/tokens`]: () => ({ access_token: 'zendesk-token', refresh_token: 'r', expires_in: 172_800 }),
    [`POST ${HOST}/api/v2/webhooks`]: () => ({ webhook: { id: 'webhook1' } }),
    [`POST ${HOST}/api/v2/triggers.json`]: () => ({ trigger: { id: 50 } }),
    [`POST ${HOST}/api/v2/users/create_or_update`]: ({ body }) => ({
      user: { ...body.user, id: body.user.role === 'end-user' && body.user.email ? 22 : 21 },
    }),
    [`PUT ${HOST}/api/v2/users/{id}`]: ({ body }) => body,
    [`POST ${HOST}/api/v2/tickets.json`]: ({ body }) => ({ ticket: { ...body.ticket, id: Number(TICKET) } }),
    [`PUT ${HOST}/api/v2/tickets/{id}`]: ({ body }) => ({
      ticket: body.ticket,
      audit: { events: [{ id: 91, type: 'Comment' }] },
    }),
    [`GET ${HOST}/api/v2/webhooks`]: () => ({ webhooks: [{ id: 'webhook2', name: 'articles' }] }),
    [`DELETE ${HOST}/api/v2/webhooks/{id}`]: () => ({}),
    [`DELETE ${HOST}/api/v2/triggers/{id}`]: () => ({}),
  },

  async run({ bot, install, registered, connect, asked, received, reply, act, say }) {
    const unconnected = await install();
    assert.equal(unconnected.status, 'registration_failed');
    const browser = await connect(unconnected);
    await browser.open('/wizard/validate-subdomain', { wizinput: 'pizzas' });
    const consent = new URL((await browser.open('/wizard/reset')).headers.get('location') ?? '');
    assert.deepEqual([consent.host, consent.searchParams.get('client_id')], [HOST, secrets.CLIENT_ID]);
    await browser.open('/wizard/oauth-callback', { code: 'consented' });
    const { body: exchanged } = await asked(`POST ${HOST}/oauth/tokens`);
    assert.deepEqual([exchanged.code, exchanged.code_verifier], ['consented', secrets.CODE_CHALLENGE]);
    const { webhookUrl } = await registered();
    const { body: hook, headers } = await asked(`POST ${HOST}/api/v2/webhooks`);
    assert.equal(hook.webhook.endpoint, webhookUrl);
    assert.equal(headers.authorization, 'Bearer zendesk-token');
    const isNewMessage = ({ body }: { body: { trigger: { title: string } } }) =>
      body.trigger.title === 'bpc_newMessage';
    const { body: created } = await asked(`POST ${HOST}/api/v2/triggers.json`, isNewMessage);
    say('OAuth connects the account, and register creates webhooks and triggers');

    const { userId } = await act('createUser', { name: 'Ada', email: 'ada@example.com' });
    const session = { userId, title: 'Cold pizza', description: 'Order 7', messageHistory: [] };
    const { conversationId } = await act('startHitl', session);
    const { body: opened } = await asked(`POST ${HOST}/api/v2/tickets.json`);
    assert.deepEqual(opened.ticket, { subject: 'Cold pizza', comment: { body: 'Order 7' }, requester_id: '22' });
    const { body: linked } = await asked(`PUT ${HOST}/api/v2/tickets/${TICKET}.json`);
    assert.equal(linked.ticket.external_id, conversationId);
    say('actions create the user and a ticket that is linked to the conversation');

    // Zendesk fills the template of the trigger. The integration checks no signature.
    const values: Record<string, string> = {
      ...{
        'ticket.id': TICKET,
        'ticket.external_id': conversationId,
        'ticket.latest_public_comment_html': 'On its way',
      },
      ...{ 'ticket.public_comments[0].id': '90', 'current_user.id': AGENT, 'current_user.name': 'Grace' },
    };
    const [, template] = created.trigger.actions[0].value;
    const filled = template.replace(/\{\{(.+?)\}\}/g, (_: string, name: string) => values[name] ?? '');
    assert.equal((await post(webhookUrl, JSON.parse(filled))).status, 200);
    const message = await received('On its way');
    assert.equal(message.conversationId, conversationId);
    assert.equal((await bot.client.getUser({ id: message.userId })).user.name, 'Grace');
    say("receives the agent's comment");

    await reply(conversationId, 'Thanks');
    const { body } = await asked(`PUT ${HOST}/api/v2/tickets/${TICKET}.json`, call => call.body.ticket.comment);
    assert.deepEqual(body.ticket.comment, { body: 'Thanks', author_id: '21' });
    say('adds the reply to the ticket');
  },
};

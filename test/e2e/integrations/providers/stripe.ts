/** Stripe, which has no channels: a signed event of a charge becomes an event, and an action creates a customer. */
import assert from 'node:assert/strict';
import type { ProviderTest } from '../exchange.ts';
import { hmac, post } from '../signatures.ts';

const [KEY, SECRET, ACCOUNT] = ['sk_test_1', 'whsec_1', 'acct_1'];
const customer = { object: 'customer', id: 'cus_1', description: null, created: 1_700_000_000, delinquent: false };

export const stripe: ProviderTest = {
  // For the vendor's own Stripe app, which an API key does not use.
  secrets: { CLIENT_ID: 'unused', CLIENT_SECRET: 'unused' },

  answers: {
    'GET api.stripe.com/v1/account': () => ({ object: 'account', id: ACCOUNT }),
    'POST api.stripe.com/v1/webhook_endpoints': ({ body }) => ({ id: 'we_1', url: body.url, secret: SECRET }),
    'DELETE api.stripe.com/v1/webhook_endpoints/{id}': () => ({ id: 'we_1', deleted: true }),
    'POST api.stripe.com/v1/customers': ({ body: { email, name } }) => ({ ...customer, email, name }),
  },

  async run({ bot, install, connect, asked, heard, act, say }) {
    const unconnected = await install();
    assert.equal(unconnected.status, 'registration_failed');
    const browser = await connect(unconnected);
    const form = await browser.open('/wizard/get-manual-credentials');
    assert.match(await form.text(), /wizform\.apiKey/);
    const saved = await browser.open('/wizard/save-manual-credentials', {}, { 'wizform.apiKey': KEY });
    assert.match(saved.headers.get('location') ?? '', /success=true$/);
    const { status, webhookUrl } = await install();
    assert.equal(status, 'registered');
    const { headers } = await asked('GET api.stripe.com/v1/account');
    assert.equal(headers.authorization, `Bearer ${KEY}`);
    const { body: endpoint } = await asked('POST api.stripe.com/v1/webhook_endpoints');
    assert.equal(endpoint.url, webhookUrl);
    say("register with the wizard's API key creates the webhook");

    const charge = { object: 'charge', id: 'ch_1', customer: customer.id, amount: 900 };
    const notify = (secret: string) =>
      post(webhookUrl, { object: 'event', id: 'evt_1', type: 'charge.failed', data: { object: charge } }, text => {
        const at = Math.floor(Date.now() / 1_000);
        return { 'stripe-signature': `t=${at},v1=${hmac(secret, `${at}.${text}`)}` };
      });
    assert.equal((await notify('wrong')).status, 400);
    assert.equal((await notify(SECRET)).status, 200);
    const failed = await heard('chargeFailed');
    assert.deepEqual([failed.data.object.id, failed.data.object.amount], ['ch_1', 900]);
    const { user } = await bot.client.getUser({ id: failed.userId });
    assert.equal(user.tags['stripe:id'], customer.id);
    say('rejects a wrong signature, creates an event for a signed charge with its user');

    const output = await act('createCustomer', { email: 'ada@example.com', name: 'Ada' });
    assert.equal(output.customer.id, customer.id);
    const { body } = await asked('POST api.stripe.com/v1/customers');
    assert.deepEqual(body, { email: 'ada@example.com', name: 'Ada' });
    say('an action creates a customer');
  },
};

/** The integration `webhook`: every request becomes an event of the bot. */
import assert from 'node:assert/strict';
import type { ProviderTest } from '../exchange.ts';
import { post } from '../signatures.ts';

const SECRET = 'sesame';

export const webhook: ProviderTest = {
  answers: {},

  async run({ install, heard, say }) {
    const { status, webhookUrl } = await install({ secret: SECRET });
    assert.equal(status, 'registered');
    const order = (secret: string) =>
      post(`${webhookUrl}/orders?size=l`, { pizza: 1 }, () => ({ 'x-bp-secret': secret }));
    assert.equal((await order('wrong')).status, 400);
    assert.equal((await order(SECRET)).status, 200);
    const { path, method, body, query } = await heard('event');
    assert.deepEqual(
      { path, method, body, query },
      { path: '/orders', method: 'POST', body: { pizza: 1 }, query: { size: 'l' } },
    );
    say('rejects a wrong secret, creates an event for a valid one');
  },
};

/**
 * Authorisation matrix of the webhook API: operation × caller × kind of installation. Credentials have no effect,
 * because the URL is public.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { webhookApi } from '#infra/gateway/apis.ts';
import { installIntegration, type Server, serve } from '#test/support/integration.ts';
import { apiBaseUrl, call, isLeftOut, newBot, newUser, useSharedPlatform } from '#test/support/platform.ts';
import { WEBHOOK_REQUESTS, type WebhookOperationName } from '#test/support/requests/webhook.ts';

useSharedPlatform();

const CALLERS = ['nothing', 'garbage token', 'token of its owner', 'key of another bot', 'user key'] as const;
const EXPECTED = {
  installed: 200,
  disabled: 404,
  uninstalled: 404,
  'of a deleted bot': 404,
  'of the chat integration': 404,
  unknown: 404,
} as const;
type Case = keyof typeof EXPECTED;
const CASES = Object.keys(EXPECTED) as Case[];

let server: Server;
let webhooks: Record<Case, string>;
let headers: Record<(typeof CALLERS)[number], Record<string, string>>;

// A deployed function cannot reach this process.
describe.skipIf(isLeftOut('faults'))('the webhook API', () => {
  beforeAll(async () => {
    server = await serve((request, response) => {
      request.resume();
      response.end('{}');
    });
    const install = () => installIntegration({ url: server.url });
    const [installed, disabled, uninstalled, ended] = await Promise.all([install(), install(), install(), install()]);
    const bot = await newBot();
    const user = await newUser(bot);
    const { integrationId } = disabled;
    await disabled.workspace.owner.client.updateBot({
      id: disabled.botId,
      integrations: { pizza: { integrationId, enabled: false } },
    });
    await uninstalled.workspace.owner.client.updateBot({ id: uninstalled.botId, integrations: { pizza: null } });
    await ended.workspace.owner.client.deleteBot({ id: ended.botId });
    webhooks = {
      installed: installed.webhookId,
      disabled: disabled.webhookId,
      uninstalled: uninstalled.webhookId,
      'of a deleted bot': ended.webhookId,
      'of the chat integration': bot.webhookId,
      unknown: randomUUID(),
    };
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
    headers = {
      nothing: {},
      'garbage token': bearer('bp_pat_garbage'),
      'token of its owner': bearer(installed.workspace.owner.token),
      'key of another bot': { ...bearer(bot.tokens.bot), 'x-bot-id': bot.id },
      'user key': { 'x-user-key': user.key },
    };
  }, 60_000);
  afterAll(() => server.stop());

  describe.each(webhookApi.operations.map(({ name }) => name as WebhookOperationName))('%s', name => {
    it.each(CASES.flatMap(each => CALLERS.map(caller => [each, caller] as const)))(
      'applies its access rule to an installation %s, with %s',
      async (each, caller) => {
        const { method, path, body } = WEBHOOK_REQUESTS[name];

        const { status } = await call(`${apiBaseUrl()}/webhook/${webhooks[each]}${path}`, {
          method,
          headers: headers[caller],
          body,
        });

        expect(status).toBe(EXPECTED[each]);
      },
    );
  });
});

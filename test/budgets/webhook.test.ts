/**
 * Call budgets of the webhook group: the DynamoDB calls of each operation when it is warm. The operations' references
 * declare the budgets.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { webhookApi } from '#infra/gateway/apis.ts';
import { lambdaContext } from '#infra/local/runtime/lambdaContext.ts';
import { handlerOf } from '#shared/api/chain/chain.ts';
import { type Installed, installIntegration, type Server, serve } from '#test/support/integration.ts';
import { useSharedPlatform } from '#test/support/platform.ts';
import { WEBHOOK_REQUESTS, type WebhookOperationName } from '#test/support/requests/webhook.ts';
import { counted } from './counter.ts';
import { expectWithinBudget } from './expectWithinBudget.ts';

useSharedPlatform();

let server: Server;
let installed: Installed;
beforeAll(async () => {
  server = await serve((_, response) => void response.end('{}'));
  installed = await installIntegration({ url: server.url });
});
afterAll(() => server.stop());

async function callOperation(name: WebhookOperationName): Promise<void> {
  const { method, path, body } = WEBHOOK_REQUESTS[name];
  const { webhookId } = installed;
  const answer = await handlerOf(webhookApi.operations.find(each => each.name === name)!)(
    {
      httpMethod: method,
      resource: '/{webhookId}/{rest+}',
      path: `/${webhookId}${path}`,
      headers: {},
      pathParameters: { webhookId },
      body: JSON.stringify(body),
      isBase64Encoded: false,
      requestContext: { requestId: 'r', identity: { sourceIp: '127.0.0.1' } },
    } as never,
    lambdaContext(name, 29_000),
  );
  expect(answer.statusCode).toBe(200);
}

describe('a warm call', () => {
  it.each(Object.keys(WEBHOOK_REQUESTS) as WebhookOperationName[])('stays within the budget of %s', async name => {
    await callOperation(name);

    const count = await counted(() => callOperation(name));

    expectWithinBudget({ group: 'webhook', name }, count);
  });
});

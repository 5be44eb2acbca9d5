/** Calls every operation with all forms of event that API Gateway sends for one request. */
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chatApi, platformApi, webhookApi } from '#infra/gateway/apis.ts';
import { lambdaContext } from '#infra/local/runtime/lambdaContext.ts';
import { handlerOf } from '#shared/api/chain/chain.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import { awsEvent, EVENT_FORMS } from '#test/support/gatewayEvents.ts';
import { installIntegration, type Server, serve } from '#test/support/integration.ts';
import { useModel } from '#test/support/languageModel.ts';
import { isLeftOut, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { requestFor } from '#test/support/requests/everyOperation.ts';
import { isComplete } from '#test/support/tier.ts';

useSharedPlatform();
useModel();

type Event = ReturnType<typeof awsEvent>;
type Form = keyof typeof EVENT_FORMS;
const FORMS = Object.keys(EVENT_FORMS) as Form[];

/** An event may combine several forms. */
const inForms = (forms: readonly Form[], event: Event): Event =>
  forms.reduce((formed, form) => EVENT_FORMS[form](formed), event);

/** Excluded operations, with the reason. */
const LEFT_OUT: Record<string, string> = {
  deleteWorkspace: 'The tenant would end.',
  generateUserKey: 'The installations have no admin secret.',
  callAction: 'The bot has no endpoint.',
  configureIntegration: 'Only an integration may call it.',
  readPublicContent: 'It names no bot: see below.',
};

const operations = [...chatApi.operations, ...platformApi.operations].filter(
  ({ name }) => !Object.hasOwn(LEFT_OUT, name),
) as Operation[];

/** In `npm test`, each operation receives one event with all forms. */
const cases = operations.flatMap(operation => {
  const name = `${operation.group}.${operation.name}`;
  const chosen = isComplete ? FORMS.map(form => [form]) : [FORMS];
  return chosen.map(forms => [name, forms.length > 1 ? 'all forms at once' : forms[0], forms, operation] as const);
});

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
  const integrations = { chat: { configuration: { fileUploads: true } } };
  await bot.workspace.owner.client.updateBot({ id: bot.id, integrations });
});

async function answerTo(operation: Operation, event: Event) {
  const answer = await handlerOf(operation)(event, lambdaContext(operation.name, 29_000));
  // Ends a stream, because nothing reads it.
  await answer.stream?.[Symbol.asyncIterator]().return?.();
  return answer;
}

describe.skipIf(isLeftOut('process'))("API Gateway's event", () => {
  it.each(cases)('is accepted by %s with %s', async (_name, _forms, forms, operation) => {
    const event = inForms(forms, awsEvent(operation, await requestFor(bot, operation)));

    const { statusCode, body } = await answerTo(operation, event);

    expect(operation.statuses, body).toContain(statusCode);
  });
});

const named = (name: string) => platformApi.operations.find(operation => operation.name === name)!;

describe.skipIf(isLeftOut('process'))('a value in the path', () => {
  const KEY = 'reports/2026 Q1+%2F%25 ключ';

  it.each(FORMS)('is the same for every decoder: %s', async form => {
    const { id: workspaceId, owner, call } = bot.workspace;
    const url = `https://parley/v1/admin/account/preferences/${encodeURIComponent(KEY)}`;
    const headers = { authorization: `Bearer ${owner.token}`, 'x-workspace-id': workspaceId };

    await answerTo(
      named('setAccountPreference'),
      EVENT_FORMS[form](awsEvent(named('setAccountPreference'), { url, headers, body: { value: form } })),
    );

    const { body } = await call('GET', `/account/preferences/${encodeURIComponent(KEY)}`);
    expect(body).toEqual({ value: form });
  });

  it.each([
    ['platform', () => `https://parley/v1/admin/account/preferences/%zz`, named('getAccountPreference')],
    ['chat', () => `${bot.chatUrl}/messages/%E2%82`, chatApi.operations.find(({ name }) => name === 'getMessage')!],
  ] as [string, () => string, Operation][])(
    'returns 400 in the API %s when its encoding is malformed',
    async (_, url, operation) => {
      const { url: _url, ...request } = await requestFor(bot, operation);

      const { statusCode, body } = await answerTo(operation, awsEvent(operation, { ...request, url: url() }));

      expect({ statusCode, ...JSON.parse(body) }).toMatchObject({
        statusCode: 400,
        type: 'InvalidPayload',
        message: expect.stringContaining('percent-encoding'),
      });
    },
  );
});

describe.skipIf(isLeftOut('process'))('a webhook', () => {
  const received: { method: string; path: string }[] = [];
  let server: Server;
  beforeAll(async () => {
    server = await serve(async (request, response) => {
      const { req } = JSON.parse(await text(request));
      if (req) received.push({ method: req.method, path: req.path });
      response.end('{}');
    });
  });
  afterAll(() => server.stop());

  it.each(['/base', '/base/oauth', ''])(
    'calls its integration with method and path, under the base path "%s"',
    async base => {
      const [operation] = webhookApi.operations;
      const { webhookId } = await installIntegration({ url: server.url });
      const requests = [
        ['HEAD', '', '/'],
        ['GET', '/', '/'],
        ['POST', '/a%2Fb/c%20d', '/a%2Fb/c%20d'],
        ['PUT', `/${webhookId}/`, `/${webhookId}/`],
      ] as const;
      received.length = 0;

      for (const [method, rest] of requests) {
        const isLong = rest.length > 1;
        await answerTo(operation!, {
          ...awsEvent(operation!, { url: `https://parley/${webhookId}`, headers: {} }),
          resource: isLong ? '/{webhookId}/{rest+}' : '/{webhookId}',
          httpMethod: method,
          path: `${base}/${webhookId}${rest}`,
          pathParameters: { webhookId, ...(isLong ? { rest: decodeURIComponent(rest.slice(1)) } : {}) },
        });
      }

      expect(received).toEqual(requests.map(([method, , path]) => ({ method, path })));
    },
  );
});

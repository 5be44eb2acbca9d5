/** Tests the common shape of all errors of operations and the gateway. */
import { describe, expect, it } from 'vitest';
import { VERSION } from '#infra/settings/version.ts';
import {
  apiBaseUrl,
  call,
  chat,
  chatBaseUrl,
  install,
  isLeftOut,
  newUser,
  publishedChatUrl,
  useSharedPlatform,
} from '#test/support/platform.ts';
import { recordLog } from '#test/support/recordLog.ts';

useSharedPlatform();

const ERROR = {
  id: expect.any(String),
  code: expect.any(Number),
  type: expect.any(String),
  message: expect.any(String),
};

describe('an error', () => {
  it("has the fields from which clients rebuild it, and an id in the ecosystem's form", async () => {
    const { chatUrl } = await install();

    const { status, headers, body } = await call(`${chatUrl}/users/me`);

    expect({ status, type: headers.get('content-type') }).toEqual({ status: 401, type: 'application/json' });
    expect(body).toEqual({
      ...ERROR,
      id: expect.stringMatching(/^err_\d{14}x[0-9A-F]{8}$/),
      code: 401,
      type: 'Unauthorized',
    });
  });

  it("becomes the official client's error class", async () => {
    const { client } = await newUser(await install());

    const error = await client.getConversation({ id: 'no-such' }).catch((caught: unknown) => caught);

    expect(chat.isApiError(error)).toBe(true);
    expect(error).toBeInstanceOf(chat.ResourceNotFoundError);
    expect(error).toMatchObject({ code: 404, message: 'The conversation no-such was not found.' });
  });

  it.skipIf(isLeftOut('log'))('is logged under its id, without any key', async () => {
    const installation = await install();
    const { key } = await newUser(installation);
    const log = recordLog();

    const { body } = await call(`${installation.chatUrl}/conversations/no-such`, { key });

    const entry = log.entries.find(({ errorId }) => errorId === body.id);
    expect(entry).toMatchObject({
      operation: 'getConversation',
      status: 404,
      botId: installation.botId,
      reason: body.message,
    });
    expect(log.lines.join()).not.toContain(key);
  });

  it.each([
    ['an unknown route', 'GET', () => `${chatBaseUrl()}/hook/no/such/route`],
    ['a method that a route does not have', 'DELETE', () => `${chatBaseUrl()}/hook/messages`],
    ['an unknown route of the platform', 'GET', () => `${apiBaseUrl()}/v1/no/such/route`],
  ])('has the same shape for gateway responses to %s', async (_, method, url) => {
    const { status, body } = await call(url(), { method });

    expect(status).toBe(404);
    expect(body).toEqual({ ...ERROR, code: 404, type: 'ResourceNotFound' });
  });
});

describe('GET /', () => {
  it('lists the URLs of the platform, which require no key', async () => {
    const { status, body } = await call(`${apiBaseUrl()}/`);

    expect({ status, body }).toEqual({
      status: 200,
      body: {
        name: 'Parley',
        version: VERSION,
        health: `${apiBaseUrl()}/v1/health`,
        docs: `${apiBaseUrl()}/v1/docs`,
        openapi: `${apiBaseUrl()}/v1/openapi.json`,
        chat: publishedChatUrl(),
      },
    });
    for (const url of [body.health, body.docs, body.openapi]) expect((await fetch(url)).status).toBe(200);
  });

  it('also responds without the trailing slash', async () => {
    expect((await call(apiBaseUrl())).status).toBe(200);
  });
});

describe('GET /v1/health', () => {
  it('responds at the base URL of the platform API', async () => {
    expect(await call(`${apiBaseUrl()}/v1/health`)).toMatchObject({ status: 200, body: { status: 'ok' } });
  });
});

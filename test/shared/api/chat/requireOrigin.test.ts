/** Tests `allowedOrigins`, the origins of pages that may use an installation's chat. */
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import {
  call,
  isLeftOut,
  newBotWithIntegration,
  newUser,
  newWorkspace,
  publishedChatUrl,
  useSharedPlatform,
} from '#test/support/platform.ts';

useSharedPlatform();

const SHOP = 'https://shop.example';
const OTHER = 'https://other.example';

const newChat = async () => newBotWithIntegration(await newWorkspace(), { allowedOrigins: [SHOP] });

/** Sends a request with a Host header, which `fetch` cannot set. */
const statusWithHost = (url: string, headers: Record<string, string>) =>
  new Promise<number>((resolve, reject) => {
    request(url, { headers }, response => resolve(response.resume().statusCode!))
      .on('error', reject)
      .end();
  });

describe('a chat with allowedOrigins', () => {
  it('accepts pages of these origins, and returns 403 with the fix to pages of others', async () => {
    const installation = await newChat();
    const { key } = await newUser(installation);
    const getUser = (origin: string) => call(`${installation.chatUrl}/users/me`, { key, headers: { origin } });

    const [own, other, sandboxed] = await Promise.all([SHOP, OTHER, 'null'].map(getUser));

    expect(own!.status).toBe(200);
    expect(other).toMatchObject({ status: 403, body: { type: 'Forbidden' } });
    expect(other!.body.message).toMatch(/^Pages of https:\/\/other\.example .* allowedOrigins in the configuration/);
    expect(sandboxed!.status).toBe(403);
  });

  it('lets the rejected page read the reason', async () => {
    const { chatUrl } = await newChat();

    const { status, headers } = await call(`${chatUrl}/users`, {
      method: 'POST',
      body: {},
      headers: { origin: OTHER },
    });

    expect(status).toBe(403);
    expect(headers.get('access-control-allow-origin')).toBe(OTHER);
  });

  it('accepts programs and the reference page of the chat API', async () => {
    const { chatUrl } = await newChat();
    const signUp = (headers: Record<string, string>) => call(`${chatUrl}/users`, { method: 'POST', body: {}, headers });

    const statuses = [await signUp({}), await signUp({ origin: new URL(publishedChatUrl()).origin })];

    expect(statuses.map(({ status }) => status)).toEqual([201, 201]);
  });

  it.skipIf(isLeftOut('content')).each(['rebound.example', 'other.localhost', '127.0.0.1.example', 'localhost'])(
    'returns 403 to pages of %s, even if its domain resolves to the API',
    async name => {
      const { chatUrl } = await newChat();
      const { port } = new URL(chatUrl);
      const host = name === 'localhost' ? 'localhost:1' : `${name}:${port}`;

      expect(await statusWithHost(`${chatUrl}/hello`, { host, origin: `http://${host}` })).toBe(403);
    },
  );

  it.skipIf(isLeftOut('stream'))('opens no stream for pages of other origins', async () => {
    const { chatUrl } = await newChat();

    const { status } = await call(`${chatUrl}/initialize`, { headers: { origin: OTHER } });

    expect(status).toBe(403);
  });
});

it('accepts pages of every origin without allowedOrigins', async () => {
  const { chatUrl } = await newBotWithIntegration(await newWorkspace());

  const { status } = await call(`${chatUrl}/hello`, { headers: { origin: OTHER } });

  expect(status).toBe(200);
});

it.each([
  [[`${SHOP}/chat`], 'integrations.chat.configuration.allowedOrigins.0: Must be an origin such as'],
  [['shop.example'], 'Must be an origin such as'],
  [['*'], 'Must be an origin such as'],
  [[], 'integrations.chat.configuration.allowedOrigins'],
  [SHOP, 'integrations.chat.configuration.allowedOrigins'],
])('rejects the configuration %j', async (allowedOrigins, message) => {
  const workspace = await newWorkspace();
  const { bot } = await newBotWithIntegration(workspace);

  const { status, body } = await workspace.call('PUT', `/bots/${bot.id}`, {
    body: { integrations: { chat: { configuration: { allowedOrigins } } } },
  });

  expect({ status, type: body.type }).toEqual({ status: 400, type: 'InvalidPayload' });
  expect(body.message).toContain(message);
});

import { afterEach, describe, expect, it } from 'vitest';
import { type Installed, installIntegration, type Server, sdk, serveIntegration } from '#test/support/integration.ts';
import { apiBaseUrl, Client, call, isLeftOut, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const running: Server[] = [];
afterEach(() => {
  for (const server of running.splice(0)) server.stop();
});

const CREATION = { enabled: true, requiredTags: ['id'] };
const DEFINITION = {
  user: { tags: { id: {}, phone: {} }, creation: CREATION },
  channels: { table: { messages: {}, message: { tags: {} }, conversation: { tags: { id: {} }, creation: CREATION } } },
};

// biome-ignore lint/suspicious/noExplicitAny: the SDK derives them from a definition that tests do not generate
type Asked = any;

const asBody = (value: unknown) => ({ status: 200, body: JSON.stringify(value) });

/** An SDK integration that creates requested records through its own client. */
async function pizzeria(definition: Record<string, unknown> = DEFINITION, handlers: Record<string, unknown> = {}) {
  const asked: unknown[] = [];
  let own: Installed;
  const client = ({ ctx }: Asked) =>
    new Client({
      apiUrl: apiBaseUrl(),
      token: own.integrationKey,
      botId: ctx.botId,
      integrationId: ctx.integrationId,
      integrationAlias: ctx.integrationAlias,
    });
  const server = await serveIntegration({
    createUser: async (props: Asked) => {
      asked.push({ tags: props.tags });
      const { user } = await client(props).getOrCreateUser({ tags: props.tags, name: 'Of the provider' });
      return asBody({ user: { id: user.id } });
    },
    createConversation: async (props: Asked) => {
      asked.push({ channel: props.channel, tags: props.tags });
      const { conversation } = await client(props).getOrCreateConversation({
        channel: props.channel,
        tags: props.tags,
      });
      return asBody({ conversation: { id: conversation.id } });
    },
    ...handlers,
  });
  running.push(server);
  own = await installIntegration({ url: server.url, ...definition });
  return { asked, ...own };
}

const asBot = (
  { botId, botKey }: Installed,
  path: string,
  body: Record<string, unknown>,
  headers: Record<string, string> = {},
) =>
  call(`${apiBaseUrl()}/v1/chat${path}`, {
    method: 'POST',
    token: botKey,
    botId,
    body: { integrationName: 'pizza', ...body },
    headers,
  });

// A deployed function cannot reach this process.
describe.skipIf(isLeftOut('faults'))('a bot that names an integration', () => {
  it("returns the integration's user, requested by tags under their own names", async () => {
    const installed = await pizzeria();

    const { status, body } = await asBot(installed, '/users', { tags: { 'pizza:id': '7', phone: '1' } });

    expect(status).toBe(201);
    expect(body.user).toMatchObject({ name: 'Of the provider', tags: { 'pizza:id': '7', 'pizza:phone': '1' } });
    expect(installed.asked).toEqual([{ tags: { id: '7', phone: '1' } }]);
  });

  it('accepts further user fields', async () => {
    const installed = await pizzeria();

    const { body } = await asBot(installed, '/users', {
      tags: { id: '7' },
      name: 'Ada',
      properties: { size: 'large' },
    });

    expect(body.user).toMatchObject({ name: 'Ada', properties: { size: 'large' } });
  });

  it("returns the integration's conversation of the channel", async () => {
    const installed = await pizzeria();

    const { status, body } = await asBot(installed, '/conversations', { channel: 'table', tags: { id: '3' } });

    expect(status).toBe(201);
    expect(body.conversation).toMatchObject({ channel: 'table', integration: 'pizza', tags: { 'pizza:id': '3' } });
    expect(installed.asked).toEqual([{ channel: 'table', tags: { id: '3' } }]);
  });

  it('selects the integration by integrationName or the header, and calls it once per Idempotency-Key', async () => {
    const installed = await pizzeria();
    const headers = { 'x-integration-alias': 'pizza', 'idempotency-key': 'one' };
    const body = { integrationName: undefined, tags: { id: '7' } };

    const answers = [await asBot(installed, '/users', body, headers), await asBot(installed, '/users', body, headers)];

    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[0]!.body.user.id).toBe(answers[1]!.body.user.id);
    expect(installed.asked).toHaveLength(1);
  });

  it('creates the record itself without an integration or its declaration of creation', async () => {
    const installed = await pizzeria({ user: { tags: { id: {} }, creation: { enabled: false, requiredTags: [] } } });

    const answers = [
      await asBot(installed, '/users', { tags: { 'pizza:id': '7' } }),
      await asBot(installed, '/users', { integrationName: undefined, tags: {} }),
      await asBot(installed, '/conversations', { channel: 'other', tags: {} }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(installed.asked).toEqual([]);
  });

  it('returns the missing required tag without calling the integration', async () => {
    const installed = await pizzeria();

    const refused = await asBot(installed, '/users', { tags: { phone: '1' } });

    expect(refused).toMatchObject({ status: 400, body: { metadata: { issues: [{ path: 'tags.id' }] } } });
    expect(installed.asked).toEqual([]);
  });

  it.each([
    [
      'refuses',
      async () => {
        throw new sdk.RuntimeError('No such guest.');
      },
      /No such guest/,
    ],
    ['fails', async () => Promise.reject(new Error('oven')), /did not create the user/],
    ['returns no user', async () => asBody({}), /no user\.id/],
    ['returns HTML', async () => ({ status: 200, body: '<html>' }), /no user\.id/],
    [
      'returns an unknown user',
      async () => asBody({ user: { id: `user_${'0'.repeat(24)}` } }),
      /user\.id that does not exist/,
    ],
    ['has no handler for it', undefined, /no user\.id/],
  ])('returns 400 with the reason when the integration %s', async (_, createUser, message) => {
    const installed = await pizzeria(DEFINITION, { createUser });

    const refused = await asBot(installed, '/users', { tags: { id: '7' } });

    expect(refused).toMatchObject({
      status: 400,
      body: { type: 'Runtime', message: expect.stringMatching(message) },
    });
  });
});

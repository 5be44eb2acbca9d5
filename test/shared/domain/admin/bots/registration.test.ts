import { afterEach, describe, expect, it, vi } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import { changeInstallations } from '#shared/outbound/installations/registration.ts';
import { findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { Timer } from '#shared/storage/dynamodb/timers/timers.ts';
import { fireTimer } from '#test/support/inRoles.ts';
import { installIntegration, type Server, sdk, serve, serveIntegration } from '#test/support/integration.ts';
import { type AdminClient, eventually, isLeftOut, newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const running: Server[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const server of running.splice(0)) server.stop();
});

interface Delivered {
  hook: 'register' | 'unregister';
  webhookUrl: string;
  configuration: Record<string, unknown>;
}

/** Creates an SDK integration that rejects a wrong token, and records its calls. */
async function pizzeria() {
  const delivered: Delivered[] = [];
  const note =
    (hook: Delivered['hook']) =>
    async ({ webhookUrl, ctx }: { webhookUrl: string; ctx: { configuration: Record<string, unknown> } }) => {
      delivered.push({ hook, webhookUrl, configuration: ctx.configuration });
      if (ctx.configuration.token === 'wrong') throw new sdk.RuntimeError('The token is wrong.');
      if (ctx.configuration.token === 'broken') throw new Error('oven');
    };
  const server = await serveIntegration({ register: note('register'), unregister: note('unregister') });
  running.push(server);
  return {
    url: server.url,
    delivered,
    hooks: () => delivered.map(({ hook, configuration }) => `${hook} ${configuration.token}`),
  };
}

const TOKEN_SCHEMA = {
  type: 'object',
  properties: { token: { type: 'string', minLength: 2 } },
  required: ['token'],
  additionalProperties: false,
};

const change = async (client: AdminClient, botId: string, pizza: Record<string, unknown> | null) =>
  (await client.updateBot({ id: botId, integrations: { pizza } })).bot.integrations.pizza;

/** Fires the bot's registration timer. */
async function fireRegistrationTimer(botId: string): Promise<number> {
  const timer = Timer.parse(await readItem({ pk: `${botId}#recurring`, sk: 'due#registration' }));
  await fireTimer(timer, timer.dueMs);
  return timer.dueMs;
}

// A deployed function cannot reach this process.
describe.skipIf(isLeftOut('faults'))('an installation', () => {
  it('is registered with its webhookUrl before updateBot responds', async () => {
    const { url, delivered } = await pizzeria();

    const { installation, webhookUrl } = await installIntegration(
      { url },
      { installing: { configuration: { token: 'right' } } },
    );

    expect(installation).toMatchObject({ status: 'registered', statusReason: null });
    expect(delivered).toEqual([{ hook: 'register', webhookUrl, configuration: { token: 'right' } }]);
  });

  it('is registration_failed with the reason in the response, getBot and the log, and retried by an update', async () => {
    const { url, hooks } = await pizzeria();
    const { installation, workspace, botId } = await installIntegration(
      { url },
      { installing: { configuration: { token: 'wrong' } } },
    );
    const { client } = workspace.owner;

    const read = (await client.getBot({ id: botId })).bot.integrations.pizza;
    const { logs } = await client.getBotLogs({ id: botId, timeStart: new Date(clock.now() - 60_000).toISOString() });
    const again = await change(client, botId, {});
    const mended = await change(client, botId, { configuration: { token: 'right' } });

    const failed = { status: 'registration_failed', statusReason: 'The token is wrong.' };
    expect([installation, read, again]).toMatchObject([failed, failed, failed]);
    expect(logs.map(({ message }) => message)).toContainEqual(expect.stringContaining('The token is wrong.'));
    expect(mended).toMatchObject({ status: 'registered', statusReason: null });
    expect(hooks()).toEqual(['register wrong', 'register wrong', 'unregister wrong', 'register right']);
  });

  it.each([
    ['is down', 'http://127.0.0.1:1', /could not be reached/],
    ['fails', undefined, /unexpected error|oven/],
  ])('is registration_failed when the endpoint %s, and updateBot returns 200', async (_, down, reason) => {
    const url = down ?? (await pizzeria()).url;

    const { installation } = await installIntegration({ url }, { installing: { configuration: { token: 'broken' } } });

    expect(installation).toMatchObject({ status: 'registration_failed', statusReason: expect.stringMatching(reason) });
  });

  it.skipIf(isLeftOut('settings'))('is registration_failed when the endpoint takes too long', async () => {
    vi.stubEnv(VARIABLES.deliveryTimeoutMs, '300');
    const server = await serve(() => {});
    running.push(server);

    const { installation } = await installIntegration({ url: server.url });

    expect(installation).toMatchObject({
      status: 'registration_failed',
      statusReason: expect.stringContaining('did not respond'),
    });
  });

  it('is unregistered with its previous configuration when it is disabled, reconfigured or uninstalled', async () => {
    const { url, hooks, delivered } = await pizzeria();
    const { workspace, botId, webhookUrl } = await installIntegration(
      { url },
      { installing: { configuration: { token: 'first' } } },
    );
    const { client } = workspace.owner;

    const configured = await change(client, botId, { configuration: { token: 'second' } });
    const disabled = await change(client, botId, { enabled: false });
    const enabled = await change(client, botId, { enabled: true });
    const uninstalled = await change(client, botId, null);

    expect(hooks()).toEqual([
      'register first',
      'unregister first',
      'register second',
      'unregister second',
      'register second',
      'unregister second',
    ]);
    expect(new Set(delivered.map(each => each.webhookUrl))).toEqual(new Set([webhookUrl]));
    expect([configured, disabled, enabled].map(each => each?.status)).toEqual([
      'registered',
      'unregistered',
      'registered',
    ]);
    expect(uninstalled).toBeUndefined();
  });

  it('is unregistered when its bot is deleted', async () => {
    const { url, hooks } = await pizzeria();
    const { workspace, botId } = await installIntegration({ url }, { installing: { configuration: { token: 'a1' } } });

    await workspace.owner.client.deleteBot({ id: botId });

    await eventually(async () => expect(hooks()).toEqual(['register a1', 'unregister a1']));
  });

  it('is readable by the integration during its registration', async () => {
    let status: number | undefined;
    const workspace = await newWorkspace();
    const server = await serve(async (request, response) => {
      const { 'x-bot-id': id } = request.headers;
      ({ status } = await workspace.call('GET', `/bots/${id}`));
      response.end('{}');
    });
    running.push(server);

    const { installation } = await installIntegration({ url: server.url }, { workspace });

    expect(status).toBe(200);
    expect(installation.status).toBe('registered');
  });

  it('is registered without a call if its integration has no endpoint', async () => {
    const { installation } = await installIntegration({});

    expect(installation).toMatchObject({ status: 'registered', statusReason: null });
  });

  it.each([
    ['a field of another type', { token: 1 }, null, 'integrations.pizza.configuration.token'],
    ['an unknown field', { token: 'right', size: 1 }, null, 'integrations.pizza.configuration.size'],
    ['a type that there is not', { token: 'right' }, 'oauth', 'integrations.pizza.configurationType'],
    ['an unknown field beside a missing one', { size: 1 }, null, 'integrations.pizza.configuration.size'],
    ['a field of its own type', { key: 1 }, 'manual', 'integrations.pizza.configuration.key'],
  ])(
    'returns 400 that names %s in its configuration, without a call to the endpoint',
    async (_, configuration, configurationType, path) => {
      const { url, delivered } = await pizzeria();
      const workspace = await newWorkspace();
      const { integration } = await workspace.owner.client.createIntegration({
        name: 'pizza',
        version: '1.0.0',
        url,
        configuration: { schema: TOKEN_SCHEMA },
        configurations: { manual: { schema: { type: 'object', properties: { key: { type: 'string' } } } } },
      });
      const { bot } = await workspace.owner.client.createBot({});

      const refused = await workspace.call('PUT', `/bots/${bot.id}`, {
        body: { integrations: { pizza: { integrationId: integration.id, configuration, configurationType } } },
      });

      expect(refused).toMatchObject({
        status: 400,
        body: { type: 'InvalidPayload', metadata: { issues: [{ path, message: expect.stringContaining(path) }] } },
      });
      expect(delivered).toEqual([]);
    },
  );

  it('is pending after an interrupted registration, and is registered by the queue', async () => {
    const { url, hooks } = await pizzeria();
    const { workspace, botId } = await installIntegration({ url }, { installing: { configuration: { token: 'a1' } } });
    const requestedAtMs = clock.now();
    await changeInstallations(botId, ({ installations }) =>
      installations.map(each => ({
        ...each,
        registration: { status: 'registration_pending', requestedAtMs, by: 'operation' },
      })),
    );
    const { bot } = await workspace.owner.client.getBot({ id: botId });
    expect(bot.integrations.pizza!.status).toBe('registration_pending');

    const dueMs = await fireRegistrationTimer(botId);

    expect(dueMs - requestedAtMs).toBe(60_000);
    await eventually(async () => {
      expect((await findBot(botId))?.installations[0]?.registration?.status).toBe('registered');
    });
    expect(hooks()).toEqual(['register a1', 'register a1']);
    expect(await readItem({ pk: `${botId}#recurring`, sk: 'due#registration' })).toBeUndefined();
  });
});

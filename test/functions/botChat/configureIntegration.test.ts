import { json } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { Timer } from '#shared/storage/dynamodb/timers/timers.ts';
import { fireTimer } from '#test/support/inRoles.ts';
import { type Installed, installIntegration, type Server, serve } from '#test/support/integration.ts';
import {
  type AdminClient,
  apiBaseUrl,
  Client,
  call,
  eventually,
  isLeftOut,
  newBot,
  useSharedPlatform,
} from '#test/support/platform.ts';

useSharedPlatform();

const running: Server[] = [];
afterEach(() => {
  for (const server of running.splice(0)) server.stop();
});

const clientOf = ({ integrationKey, botId }: Installed) =>
  new Client({ apiUrl: apiBaseUrl(), token: integrationKey, botId, integrationAlias: 'pizza' }) as AdminClient;

const configure = (installed: Installed, body: unknown, { token = installed.integrationKey } = {}) =>
  call(`${apiBaseUrl()}/v1/chat/integrations/configure`, {
    method: 'POST',
    token,
    botId: installed.botId,
    headers: { 'x-integration-alias': 'pizza' },
    body,
  });

const installationOf = async ({ workspace, botId }: Installed) =>
  (await workspace.owner.client.getBot({ id: botId })).bot.integrations.pizza!;

/** An integration whose registration depends on a user's consent, which determines the account. */
async function integrationWithConsent() {
  const identifiers: (string | undefined)[] = [];
  const registrations: (string | undefined)[] = [];
  const server = await serve(async (request, response) => {
    const { 'x-bp-integration-identifier': given, 'x-bp-operation': operation } = request.headers;
    const identifier = given as string | undefined;
    const asked = await json(request);
    identifiers.push(identifier);
    if (operation === 'register') registrations.push(identifier);
    if (operation === 'register' && identifier === undefined) {
      response.writeHead(400).end(JSON.stringify({ message: 'Give consent first.' }));
    } else if ((asked as { req?: { path: string } }).req?.path === '/connected') {
      response.writeHead(200, { 'x-bp-integration-identifier': 'acct_2' }).end('Done.');
    } else response.end('{}');
  });
  running.push(server);
  return { identifiers, registrations, ...(await installIntegration({ url: server.url })) };
}

// A deployed function cannot reach this process.
describe.skipIf(isLeftOut('faults'))('POST /v1/chat/integrations/configure', () => {
  it('sets the identifier of the installation, which getBot and later calls contain', async () => {
    const installed = await integrationWithConsent();

    await clientOf(installed).configureIntegration({ identifier: 'acct_1' });
    await call(installed.webhookUrl);

    expect((await installationOf(installed)).identifier).toBe('acct_1');
    expect(installed.identifiers.at(-1)).toBe('acct_1');
  });

  it('registers an installation again if it failed without an identifier', async () => {
    const installed = await integrationWithConsent();
    const before = await installationOf(installed);

    await configure(installed, { identifier: 'acct_1' });

    expect(before).toMatchObject({ status: 'registration_failed', statusReason: 'Give consent first.' });
    await eventually(async () => expect((await installationOf(installed)).status).toBe('registered'));
    expect(installed.registrations).toEqual([undefined, 'acct_1']);
  });

  it("also accepts the identifier in a webhook's response", async () => {
    const installed = await integrationWithConsent();

    const { status, headers, body } = await call(`${installed.webhookUrl}/connected`);

    expect({ status, body }).toEqual({ status: 200, body: 'Done.' });
    expect(headers.has('x-bp-integration-identifier')).toBe(false);
    await eventually(async () =>
      expect(await installationOf(installed)).toMatchObject({ identifier: 'acct_2', status: 'registered' }),
    );
  });

  it('removes the identifier with null, and keeps omitted fields', async () => {
    const installed = await integrationWithConsent();
    await configure(installed, { identifier: 'acct_1', sandboxIdentifiers: { test: 'a' } });

    await configure(installed, {});
    const kept = await installationOf(installed);
    await configure(installed, { identifier: null, sandboxIdentifiers: null });

    expect(kept.identifier).toBe('acct_1');
    expect((await installationOf(installed)).identifier).toBeUndefined();
  });

  it('repeats the registration on the schedule of scheduleRegisterCall', async () => {
    const installed = await integrationWithConsent();
    await configure(installed, { identifier: 'acct_1', scheduleRegisterCall: 'daily' });
    await eventually(async () => expect((await installationOf(installed)).status).toBe('registered'));

    const timer = Timer.parse(await readItem({ pk: `${installed.botId}#recurring`, sk: 'due#registration' }));
    await fireTimer(timer, timer.dueMs);

    expect(timer.dueMs).toBeGreaterThan(clock.now() + 23 * 60 * 60_000);
    await eventually(async () => expect(installed.registrations).toEqual([undefined, 'acct_1', 'acct_1']));
    await eventually(async () => {
      const next = Timer.parse(await readItem({ pk: `${installed.botId}#recurring`, sk: 'due#registration' }));
      expect(next.dueMs - timer.dueMs).toBe(24 * 60 * 60_000);
    });
  });

  it.each([
    [{ identifier: '' }, 'identifier'],
    [{ identifier: 'a\nb' }, 'identifier'],
    [{ identifier: 'é' }, 'identifier'],
    [{ scheduleRegisterCall: 'never' }, 'scheduleRegisterCall'],
    [{ sandboxIdentifiers: { a: 'x'.repeat(5_001) } }, 'sandboxIdentifiers'],
  ])('returns 400 for %j and names the field', async (body, path) => {
    const installed = await installIntegration({});

    const refused = await configure(installed, body);

    expect(refused).toMatchObject({ status: 400, body: { type: 'InvalidPayload', metadata: { issues: [{ path }] } } });
  });

  it('returns 403 to other integrations and to the bot', async () => {
    const [own, other] = [await installIntegration({}), await installIntegration({})];

    const refused = [
      await configure(own, { identifier: 'a1' }, { token: other.integrationKey }),
      await configure(own, { identifier: 'a2' }, { token: own.botKey }),
      await configure(own, { identifier: 'a3' }, { token: own.workspace.owner.token }),
    ];

    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect((await installationOf(own)).identifier).toBeUndefined();
  });

  it('applies to a new installation immediately', async () => {
    const bot = await newBot();
    await bot.integration.configureIntegration({ identifier: 'now' });

    const { bot: record } = await bot.workspace.owner.client.getBot({ id: bot.id });

    expect(record.integrations.chat!.identifier).toBe('now');
  });
});

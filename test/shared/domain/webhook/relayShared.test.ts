import { randomUUID } from 'node:crypto';
import { json } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { installIntegration, type Server, serve } from '#test/support/integration.ts';
import {
  apiBaseUrl,
  Client,
  eventually,
  isLeftOut,
  newWorkspace,
  settled,
  type TestWorkspace,
  useSharedPlatform,
} from '#test/support/platform.ts';

useSharedPlatform();

const running: Server[] = [];
afterAll(() => {
  for (const server of running) server.stop();
});

interface Received {
  webhookId: string;
  path: string;
  query: string;
  body: string;
}

/** Serves an integration that records what reaches it. */
async function recordingEndpoint() {
  const received: Received[] = [];
  const server = await serve(async (request, response) => {
    const body = await json(request);
    const { 'x-bp-operation': operation, 'x-webhook-id': webhookId } = request.headers;
    if (operation === 'webhook_received')
      received.push({ ...(body as { req: Received }).req, webhookId: String(webhookId) });
    response.end('{}');
  });
  running.push(server);
  return { url: server.url, received };
}

const TEAM = 'parse_json!(.body).team';
const CHALLENGE = `
  q = parse_query_string!(.query)
  if q.token == .secrets.VERIFY_TOKEN {
    { "status": 202, "headers": { "X-Verified": "yes", "Set-Cookie": "a=b" }, "body": q.challenge }
  } else {
    { "status": 403, "body": "Wrong token" }
  }`;

/** Creates a version of an integration with a shared webhook. */
async function sharedIntegration(
  workspace: TestWorkspace,
  definition: { url: string; name?: string; version?: string; extractScript?: string; fallbackHandlerScript?: string },
) {
  const { url, extractScript = TEAM, fallbackHandlerScript, ...named } = definition;
  const identifier = { extractScript, ...(fallbackHandlerScript ? { fallbackHandlerScript } : {}) };
  const secrets = { VERIFY_TOKEN: 'sesame' };
  const installed = await installIntegration({ url, ...named, identifier, secrets }, { workspace });
  return {
    ...installed,
    sharedUrl: `${new URL(installed.webhookUrl).href.replace(installed.webhookId, '')}integration/${installed.integrationId}`,
  };
}

type Installed = Pick<Awaited<ReturnType<typeof installIntegration>>, 'botId' | 'integrationKey' | 'integrationId'>;

async function identify({ botId, integrationKey, integrationId }: Installed, identifier: string | null) {
  const alias = 'pizza';
  const client = new Client({
    apiUrl: apiBaseUrl(),
    token: integrationKey,
    botId,
    integrationId,
    integrationAlias: alias,
  });
  await client.configureIntegration({ identifier });
  await settled();
}

/** Installs the same integration on another bot. */
async function installAgain({
  workspace,
  integrationId,
  integrationKey,
}: Awaited<ReturnType<typeof sharedIntegration>>) {
  const { client } = workspace.owner;
  const { bot } = await client.createBot({ name: 'Another' });
  const { bot: after } = await client.updateBot({ id: bot.id, integrations: { pizza: { integrationId } } });
  return { botId: bot.id, integrationId, integrationKey, webhookId: after.integrations.pizza!.webhookId };
}

const send = (url: string, body: unknown) => fetch(url, { method: 'POST', body: JSON.stringify(body) });

// A deployed function cannot reach this process.
describe.skipIf(isLeftOut('faults'))('{webhook_base_url}/integration/{integrationId}', () => {
  it('relays a request to the installation whose identifier the script extracts', async () => {
    const { url, received } = await recordingEndpoint();
    const first = await sharedIntegration(await newWorkspace(), { url });
    const second = await installAgain(first);
    await identify(first, 'T1');
    await identify(second, 'T2');

    await eventually(async () =>
      expect((await send(`${first.sharedUrl}/events?a=1`, { team: 'T2' })).status).toBe(200),
    );

    expect(received).toEqual([
      expect.objectContaining({ webhookId: second.webhookId, path: '/events', query: 'a=1', body: '{"team":"T2"}' }),
    ]);
  });

  it('finds an installation of any version of the integration, and none of another integration', async () => {
    const { url, received } = await recordingEndpoint();
    const workspace = await newWorkspace();
    const name = `pizza-${randomUUID().slice(0, 8)}`;
    const first = await sharedIntegration(workspace, { url, name });
    const newer = await sharedIntegration(workspace, { url, name, version: '2.0.0' });
    const other = await sharedIntegration(await newWorkspace(), { url, name });
    await identify(other, 'T1');
    await identify(newer, 'T2');

    await eventually(async () => expect((await send(first.sharedUrl, { team: 'T2' })).status).toBe(200));
    await eventually(async () => expect((await send(other.sharedUrl, { team: 'T1' })).status).toBe(200));
    const foreign = await send(first.sharedUrl, { team: 'T1' });

    expect(foreign.status).toBe(404);
    expect(received.map(({ webhookId }) => webhookId)).toEqual([newer.webhookId, other.webhookId]);
  });

  it('returns 404 for a removed identifier and a disabled installation', async () => {
    const { url, received } = await recordingEndpoint();
    const installed = await sharedIntegration(await newWorkspace(), { url });
    const { client } = installed.workspace.owner;
    await identify(installed, '7');
    await eventually(async () => expect((await send(installed.sharedUrl, { team: 7 })).status).toBe(200));

    await client.updateBot({ id: installed.botId, integrations: { pizza: { enabled: false } } });
    const disabled = await send(installed.sharedUrl, { team: 7 });
    await client.updateBot({ id: installed.botId, integrations: { pizza: { enabled: true } } });
    await identify(installed, null);
    const removed = await send(installed.sharedUrl, { team: 7 });

    expect([disabled.status, removed.status]).toEqual([404, 404]);
    expect(received).toHaveLength(1);
  });

  it('returns the response of the fallback script, which reads secrets, if no installation is found', async () => {
    const { url } = await recordingEndpoint();
    const { sharedUrl } = await sharedIntegration(await newWorkspace(), { url, fallbackHandlerScript: CHALLENGE });

    const verified = await fetch(`${sharedUrl}?token=sesame&challenge=abc`);
    const refused = await send(`${sharedUrl}?token=wrong`, { team: 'T1' });

    expect([verified.status, await verified.text()]).toEqual([202, 'abc']);
    expect([verified.headers.get('x-verified'), verified.headers.get('set-cookie')]).toEqual(['yes', null]);
    expect([refused.status, await refused.text()]).toEqual([403, 'Wrong token']);
  });

  it('returns 404 without a script, an installation or an integration, and for OAuth', async () => {
    const { url } = await recordingEndpoint();
    const { sharedUrl, integrationId } = await sharedIntegration(await newWorkspace(), { url });
    const plain = await installIntegration({ url });

    const statuses = await Promise.all(
      [
        sharedUrl,
        sharedUrl.replace(integrationId, plain.integrationId),
        sharedUrl.replace(integrationId, 'intver_none'),
        sharedUrl.replace(`/${integrationId}`, ''),
        `${sharedUrl}/oauth?state=${plain.webhookId}`,
        `${sharedUrl}/x/..%2foauth`,
      ].map(async each => (await send(each, { team: 'T1' })).status),
    );

    expect(statuses).toEqual([404, 404, 404, 404, 404, 404]);
  });

  it('aborts a script that takes too long, logs its error, and runs the next one', async () => {
    const { url } = await recordingEndpoint();
    const grow = 's = "aaaaaaaaaa" for_each(array!(parse_json!(.body))) -> |_i, _v| { s = s + s }';
    const scripts = { extractScript: grow.replace(' for_each', '\nfor_each'), fallbackHandlerScript: 'assert!(false)' };
    const slow = await sharedIntegration(await newWorkspace(), { url, ...scripts });
    const other = await sharedIntegration(await newWorkspace(), { url, fallbackHandlerScript: '{ "body": "fine" }' });

    const [aborted, next] = await Promise.all([
      send(slow.sharedUrl, Array(40).fill(1)),
      fetch(other.sharedUrl).then(response => response.text()),
    ]);

    expect([aborted.status, next]).toEqual([404, 'fine']);
    const { logs } = await slow.workspace.owner.client.getIntegrationLogs({
      id: slow.integrationId,
      timeStart: new Date(0).toISOString(),
      timeEnd: new Date(clock.now() + 60_000).toISOString(),
    });
    expect(logs.map(({ message }) => message)).toContainEqual(expect.stringMatching(/fallbackHandlerScript failed/));
  });
});

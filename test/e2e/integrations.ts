/**
 * Tests integrations of the public repository, built with its own CLI, against a platform that `npm start` runs and a
 * fake of their providers' APIs: `REPOSITORY=<a clone of botpress/botpress> npm run test:integrations`. Builds in a
 * temporary folder; requires npm, git and openssl. Exits with an error at the first failure.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { buildFrom } from '#infra/hub/buildSources.ts';
import type { LocalFile } from '#infra/local/demo.ts';
import { stateDirectory } from '#infra/settings/stateDirectory.ts';
import { answerOf, HOSTS, TELEGRAM_TOKEN, TODOIST_ACCOUNT, TODOIST_CODE } from './integrations/answers.ts';
import { testHitl } from './integrations/hitl.ts';
import { testPlugin } from './integrations/plugin.ts';
import { type ProviderCall, type Running, runIntegration, startProvider } from './integrations/provider.ts';
import { until } from './integrations/until.ts';

// The package's ES module is built for browsers and does not load in Node.
const { Client }: typeof import('@botpress/client') = createRequire(import.meta.url)('@botpress/client');

const { REPOSITORY } = process.env;
if (!REPOSITORY) throw new Error('Set REPOSITORY to the folder of a clone of https://github.com/botpress/botpress.');

const local: LocalFile = JSON.parse(readFileSync(join(stateDirectory, 'local.json'), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'parley-integrations-'));
const say = (text: string) => process.stdout.write(`${text}\n`);
const { apiUrl, workspaceId } = local;
const owner = new Client({ apiUrl, workspaceId, token: local.tokens.owner });
const webhooks = `${apiUrl}/webhook`;
const SECRETS = { CLIENT_ID: 'client', CLIENT_SECRET: 'client-secret', WEBHOOK_SHARED_SECRET: 'shared' };

const running: { stop(): void }[] = [];
const started = <T extends { stop(): void }>(service: T): T => {
  running.push(service);
  return service;
};

// biome-ignore lint/suspicious/noExplicitAny: an event as the bot gets it; each step asserts its shape
type Delivered = any;

/** Creates a bot that records its events. */
const delivered: Delivered[] = [];
const botServer = createServer(async (request, response) => {
  const { 'x-bp-operation': operation, 'x-bp-type': type } = request.headers;
  const body = await json(request).catch(() => ({}));
  if (operation === 'event_received') delivered.push({ type, ...(body as object) });
  response.end('{}');
});

async function run() {
  say('Building the CLI and three integrations …');
  const integrations = ['webhook', 'telegram', 'todoist'].map(name => `integrations/${name}`);
  const cli = await buildFrom(REPOSITORY!, folder, [...integrations, 'plugins/logger', 'plugins/hitl']);
  const folderOf = (name: string) => join(folder, 'integrations', name);
  const bundleOf = (name: string) => join(folderOf(name), '.botpress/dist/index.cjs');
  const provider = started(await startProvider(folder, answerOf));
  botServer.listen(0, '127.0.0.1');
  await once(botServer, 'listening');
  const url = `http://127.0.0.1:${(botServer.address() as AddressInfo).port}`;
  const { bot: made } = await owner.createBot({ name: 'Of the integrations', url });
  started({ stop: () => void owner.deleteBot({ id: made.id }).catch(() => {}) });
  const botKey = await owner.createBotApiKey({ botId: made.id });
  const bot = new Client({ apiUrl, token: botKey.value, botId: made.id });

  const bpIn = async (where: string, ...args: string[]): Promise<string> => {
    const name = basename(where);
    const options = ['--botpressHome', join(folder, 'home'), '-y'];
    const done = promisify(execFile)(process.execPath, [cli, ...args, ...options], { cwd: where });
    done.child.stdin?.end();
    const { stdout } = await done.catch(error =>
      assert.fail(`bp ${args[0]} of ${name}: ${error.stdout}${error.stderr}`),
    );
    say(`ok   bp ${args[0]} of ${name}`);
    return stdout;
  };
  const bp = (name: string, ...args: string[]) => bpIn(folderOf(name), ...args);

  /** Deploys an integration that runs next to the platform. @returns its id */
  async function deploy(name: string): Promise<string> {
    if (name === 'telegram') await bp(name, 'add');
    await bp(name, 'build');
    const env = { BP_API_URL: apiUrl, BP_WEBHOOK_URL: webhooks };
    const secrets = Object.fromEntries(Object.entries(SECRETS).map(([key, value]) => [`SECRET_${key}`, value]));
    const { port } = provider;
    const serve = (token: string): Promise<Running> =>
      runIntegration(folder, bundleOf(name), { hosts: HOSTS, port, env: { ...env, ...secrets, BP_TOKEN: token } });
    // The key exists after the first deployment, which requires a URL.
    const placeholder = started(await serve('none'));
    const flags = name === 'todoist' ? Object.entries(SECRETS).flatMap(each => ['--secrets', each.join('=')]) : [];
    await bp(name, 'deploy', '--url', placeholder.url, ...flags);
    placeholder.stop();
    const { integrations } = await owner.listIntegrations({});
    const { id } = integrations.find(each => each.name.split('/').at(-1) === name)!;
    const { value } = await owner.createIntegrationApiKey({ integrationId: id });
    const { url } = started(await serve(value));
    await owner.updateIntegration({ id, url });
    started({ stop: () => void owner.deleteIntegration({ id }).catch(() => {}) });
    return id;
  }

  const install = async (alias: string, integrationId: string, configuration: object = {}) => {
    const { bot: after } = await owner.updateBot({
      id: made.id,
      integrations: { [alias]: { integrationId, enabled: true, configuration } },
    });
    return after.integrations[alias]!;
  };
  const asked = (matches: (call: ProviderCall) => boolean) => () => provider.calls.find(matches);
  const heard = (type: string) => () => delivered.find(event => event.type === type);

  // The CLI only deploys integrations of workspaces with a handle, and prefixes their names with it.
  const { handle = `of-${Date.now().toString(36)}` } = await owner.getWorkspace({ id: workspaceId });
  await owner.updateWorkspace({ id: workspaceId, handle });
  await bp('webhook', 'login', '--apiUrl', apiUrl, '--token', local.tokens.owner, '--workspaceId', workspaceId);

  // webhook: every request becomes an event of the bot.
  const webhook = await install('webhook', await deploy('webhook'), { secret: 'sesame' });
  assert.equal(webhook.status, 'registered');
  const post = (headers: Record<string, string>) =>
    fetch(`${webhook.webhookUrl}/orders?size=l`, { method: 'POST', headers, body: '{"pizza":1}' });
  assert.equal((await post({ 'x-bp-secret': 'wrong' })).status, 400);
  assert.equal((await post({ 'x-bp-secret': 'sesame' })).status, 200);
  const order = await until('the event of the webhook', heard('webhook:event'));
  const { path, method, body, query } = order.event.payload;
  assert.deepEqual(
    { path, method, body, query },
    { path: '/orders', method: 'POST', body: { pizza: 1 }, query: { size: 'l' } },
  );
  say('ok   webhook: rejects a wrong secret, creates an event for a valid one');

  // telegram: an inbound message, the reply, an action, and a wrong token.
  const telegramId = await deploy('telegram');
  const failed = await install('telegram', telegramId, { botToken: '1:wrong' });
  assert.equal(failed.status, 'registration_failed');
  assert.match(String(failed.statusReason), /token/i);
  say(`ok   telegram: a wrong token is registration_failed: ${failed.statusReason}`);
  const telegram = await install('telegram', telegramId, { botToken: TELEGRAM_TOKEN });
  assert.equal(telegram.status, 'registered');
  const set = await until(
    'setWebhook',
    asked(({ path, body }) => path.endsWith('/setWebhook') && path.includes('right') && body),
  );
  assert.equal(set.body.url, telegram.webhookUrl);
  const from = { id: 42, is_bot: false, first_name: 'Ada' };
  const message = { message_id: 7, date: 1, chat: { id: 4242, type: 'private' }, from, text: 'Hello' };
  const update = JSON.stringify({ update_id: 1, message });
  assert.equal((await fetch(set.body.url, { method: 'POST', body: update })).status, 200);
  const said = await until('the message', () =>
    delivered.find(({ type, event }) => type === 'message_created' && event.payload.message.direction === 'incoming'),
  );
  const { message: receivedMessage } = said.event.payload;
  assert.equal(receivedMessage.payload.text, 'Hello');
  const { conversationId } = receivedMessage;
  await bot.createMessage({ conversationId, userId: made.id, type: 'text', payload: { text: 'Hi Ada' }, tags: {} });
  const sent = await until(
    'sendMessage',
    asked(({ path }) => path.endsWith('/sendMessage')),
  );
  assert.deepEqual([String(sent.body.chat_id), sent.body.text], ['4242', 'Hi Ada']);
  say("ok   telegram: receives a user's message and sends the reply");
  await bot.callAction({
    type: 'telegram:startTypingIndicator',
    input: { conversationId, messageId: receivedMessage.id },
  });
  await until(
    'sendChatAction',
    asked(({ path }) => path.endsWith('/sendChatAction')),
  );
  say('ok   telegram: an action');

  // todoist: OAuth, which tags the bot's own user; inbound tasks, an outbound comment.
  const unconnected = await install('todoist', await deploy('todoist'));
  assert.equal(unconnected.status, 'registration_failed');
  assert.match(String(unconnected.statusReason), /authenticate/i);
  const began = await fetch(`${apiUrl}/v1/admin/bots/${made.id}/integrations/${unconnected.id}/oauth-state`, {
    method: 'POST',
    headers: { authorization: `Bearer ${local.tokens.owner}`, 'x-workspace-id': workspaceId },
  });
  const { state } = (await began.json()) as { state: string };
  const consent = await fetch(`${webhooks}/oauth?code=${TODOIST_CODE}&state=${state}`, {
    redirect: 'manual',
  });
  assert.ok([302, 303, 307].includes(consent.status), `${consent.status}: ${await consent.text()}`);
  const exchanged = await until(
    'the exchange of the code',
    asked(({ path }) => path === '/oauth/access_token'),
  );
  assert.equal(exchanged.body.client_secret, SECRETS.CLIENT_SECRET);
  assert.match(consent.headers.get('location') ?? '', /success=true$/);
  const todoist = await until('the registration after consent', async () => {
    const installation = (await owner.getBot({ id: made.id })).bot.integrations.todoist;
    return installation?.status === 'registered' ? installation : undefined;
  });
  assert.equal(todoist.identifier, TODOIST_ACCOUNT);
  const { user: itself } = await bot.getUser({ id: made.id });
  assert.deepEqual([itself.name, itself.tags], ['Of the integrations', { 'todoist:id': TODOIST_ACCOUNT }]);
  say(
    "ok   todoist: OAuth by the shared address, the code exchanged, configureIntegration, the bot's own user tagged, registered",
  );
  const initiator = { id: '9', email: 'ada@example.com', full_name: 'Ada', image_id: null };
  const notify = (event: object) => {
    const body = JSON.stringify({ user_id: TODOIST_ACCOUNT, initiator, ...event });
    const hash = createHmac('sha256', SECRETS.CLIENT_SECRET).update(body).digest('base64');
    const address = `${todoist.webhookUrl}?shared_secret=${SECRETS.WEBHOOK_SHARED_SECRET}`;
    return fetch(address, { method: 'POST', headers: { 'X-Todoist-Hmac-SHA256': hash }, body });
  };
  const task = { id: '5', user_id: '9', content: 'Buy milk', description: '', priority: 4 };
  assert.equal((await notify({ event_name: 'item:added', event_data: task })).status, 200);
  const added = await until('the event of the task', heard('todoist:taskAdded'));
  assert.deepEqual(added.event.payload, { id: '5', content: 'Buy milk', description: '', priority: 1 });
  const note = { id: '6', posted_uid: '9', item_id: '5', content: 'Oat milk?' };
  assert.equal((await notify({ event_name: 'note:added', event_data: note })).status, 200);
  const comment = await until('the comment', () =>
    delivered.find(
      ({ type, event }) => type === 'message_created' && event.payload.message.payload.text === 'Oat milk?',
    ),
  );
  const { conversationId: comments } = comment.event.payload.message;
  await bot.createMessage({
    conversationId: comments,
    userId: made.id,
    type: 'text',
    payload: { text: 'Yes' },
    tags: {},
  });
  const written = await until(
    'the comment at the provider',
    asked(({ method, path }) => method === 'POST' && path.endsWith('/comments')),
  );
  assert.deepEqual([written.body.task_id, written.body.content], ['5', 'Yes']);
  say('ok   todoist: receives a task and a comment, and adds the reply to the task');
  await testPlugin({ folder, handle, local, bp: bpIn });
  await testHitl({ folder, handle, local, bp: bpIn });
  say('All steps passed.');
}

try {
  await run();
} finally {
  for (const service of running.reverse()) service.stop();
  botServer.closeAllConnections();
  botServer.close();
  await sleep(1_000);
  rmSync(folder, { recursive: true, force: true });
}

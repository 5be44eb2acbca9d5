/**
 * Tests the published CLI against a platform that `npm start` runs (`npm run test:cli`), or against a deployment (`npm
 * run test:deploy -- cli`). Installs `@botpress/cli` (160 MB, too much for a development dependency) into a temporary
 * folder, unless BP names one: `BP=…/node_modules/.bin/bp npm run test:cli`. Exits with an error at the first failure.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalFile } from '#infra/local/demo.ts';
import { stateDirectory } from '#infra/settings/stateDirectory.ts';
import { WELL_KNOWN_INTERFACES } from '#shared/domain/admin/packages/wellKnown/wellKnownInterfaces.ts';

// The package's ES module is built for browsers and does not load in Node.
const chat: typeof import('@botpress/chat') = createRequire(import.meta.url)('@botpress/chat');

const CLI = '@botpress/cli@0.8.59';

const local: LocalFile = JSON.parse(readFileSync(join(stateDirectory, 'local.json'), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'parley-cli-'));
const home = join(folder, 'home');
/** Names are unique, because a published name remains with its workspace. */
const unique = `cli-${Date.now().toString(36)}`;
const say = (text: string) => process.stdout.write(`${text}\n`);

function install(): string {
  say(`Installing ${CLI} …`);
  execFileSync('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', CLI], { stdio: 'ignore' });
  return join(folder, 'node_modules/.bin/bp');
}
const command = process.env.BP ?? install();

/** Runs `bp`, confirms its prompts, and returns its output. */
async function bp(...args: string[]): Promise<string> {
  const child = spawn(command, [...args, '--botpressHome', home], { cwd: folder });
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', text => {
      output[stream] += text;
    });
  }
  // The process may exit between two prompts.
  child.stdin.on('error', () => {});
  const enter = setInterval(() => child.stdin.write('\n'), 500);
  const [code] = await once(child, 'close');
  clearInterval(enter);
  assert.equal(code, 0, `bp ${args.join(' ')}:\n${output.stdout}${output.stderr}`);
  say(`ok   bp ${args.filter(arg => arg !== local.tokens.owner).join(' ')}`);
  return output.stdout;
}
const json = async (...args: string[]) => JSON.parse(await bp(...args, '--json'));

// biome-ignore lint/suspicious/noExplicitAny: a field of an answer
const api = async (method: string, path: string, body?: object): Promise<any> => {
  const response = await fetch(`${local.apiUrl}/v1/admin${path}`, {
    method,
    headers: {
      authorization: `Bearer ${local.tokens.owner}`,
      'x-workspace-id': local.workspaceId,
      'content-type': 'application/json',
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  assert.ok(response.ok, `${method} ${path}: ${response.status}`);
  return response.json();
};

/** Returns a bot's reply to a text in a new conversation. */
async function replyOf(botId: string, text: string): Promise<string> {
  const integrations = { chat: { integrationId: local.integrationId, enabled: true } };
  const { bot } = await api('PUT', `/bots/${botId}`, { integrations });
  const apiUrl = local.chatUrl.replace(local.webhookId, bot.integrations.chat.webhookId);
  const client = await chat.Client.connect({ apiUrl });
  const { conversation } = await client.createConversation({});
  await client.createMessage({ conversationId: conversation.id, payload: { type: 'text', text } });
  for (let tries = 0; tries < 300; tries++) {
    const [last, ...before] = (await client.listMessages({ conversationId: conversation.id })).messages;
    if (before.length > 0) return (last!.payload as { text: string }).text;
    await sleep(100);
  }
  throw new Error('The bot does not reply.');
}

/** Runs a local bot, which the platform reaches through the tunnel. */
async function develop(project: string): Promise<void> {
  const dev = spawn(
    command,
    ['dev', '-y', '--tunnelUrl', local.tunnelUrl, '--workDir', project, '--botpressHome', home],
    {
      cwd: project,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  try {
    let printed = '';
    for await (const text of dev.stdout.setEncoding('utf8')) {
      printed += text;
      if (/Listening on port/.test(printed)) break;
    }
    const { devId } = JSON.parse(readFileSync(join(project, '.botpress/project.cache.json'), 'utf8'));
    assert.equal(await replyOf(devId, 'hello'), 'You said: hello');
    say('ok   bp dev replies through the tunnel');
  } finally {
    dev.kill('SIGINT');
  }
}

try {
  await bp('login', '--apiUrl', local.apiUrl, '--token', local.tokens.owner);
  assert.ok((await json('bots', 'ls')).some((bot: { id: string }) => bot.id === local.botId));

  // The output is incomplete JSON: the command exits before it has printed a long response.
  assert.match(await bp('integrations', 'get', 'chat@latest', '--json'), new RegExp(local.integrationId));
  assert.ok((await json('integrations', 'ls')).some((each: { id: string }) => each.id === local.integrationId));

  for (const { name, version } of WELL_KNOWN_INTERFACES) {
    await bp('interfaces', 'get', `${name}@${version}`);
  }
  // This version of the CLI lists only the workspace's interfaces, and no plugins.
  const { interface: own } = await api('POST', '/interfaces', { name: unique, version: '1.0.0' });
  assert.ok((await json('interfaces', 'ls')).some((each: { id: string }) => each.id === own.id));

  await bp('init', '--type', 'bot', '--name', 'echobot', '--workDir', folder, '-y');
  const project = join(folder, 'echobot');
  execFileSync('npm', ['install', '--no-audit', '--no-fund'], { cwd: project, stdio: 'ignore' });
  const { bot } = await api('POST', '/bots', { name: unique });
  await bp('deploy', '-y', '--botId', bot.id, '--workDir', project);
  assert.equal(await replyOf(bot.id, 'hello'), 'You said: hello');
  say('ok   the deployed bot replies in the chat, without a url or a local process');

  // A deployment has no tunnel.
  if (local.tunnelUrl) await develop(project);

  const source = join(project, 'src/index.ts');
  writeFileSync(source, readFileSync(source, 'utf8').replaceAll('You said', 'You wrote'));
  await bp('deploy', '-y', '--botId', bot.id, '--workDir', project);
  assert.equal(await replyOf(bot.id, 'hello'), 'You wrote: hello');
  const { versions } = await api('GET', `/bots/${bot.id}/versions`);
  const startMs = performance.now();
  await api('POST', `/bots/${bot.id}/versions/deploy`, { versionId: versions[1].id });
  assert.equal(await replyOf(bot.id, 'hello'), 'You said: hello');
  const seconds = (performance.now() - startMs) / 1_000;
  assert.ok(seconds < 10, `The former version replied after ${seconds} seconds.`);
  say(`ok   the bot returns to its former version in one call, and replies after ${seconds.toFixed(1)} seconds`);

  await bp('interfaces', 'delete', unique);
  say('All steps passed.');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

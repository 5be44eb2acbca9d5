/**
 * The published command line against a platform that `npm start` has started: `node test/e2e/cli.ts`. It installs
 * `@botpress/cli` (160 MB, too much for a development dependency) into a temporary folder, unless BP names one:
 * `BP=…/node_modules/.bin/bp node test/e2e/cli.ts`. It ends with an error at the first step that does not hold.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LocalFile } from '#infra/local/demo.ts';
import { stateDirectory } from '#infra/local/state.ts';
import { WELL_KNOWN_INTERFACES } from '#shared/admin/packages/wellKnown/interfaces.ts';

const CLI = '@botpress/cli@0.8.59';

const local: LocalFile = JSON.parse(readFileSync(join(stateDirectory, 'local.json'), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'parley-cli-'));
const home = join(folder, 'home');
/** A published name stays with its workspace. */
const unique = `cli-${Date.now().toString(36)}`;
const say = (text: string) => process.stdout.write(`${text}\n`);

function install(): string {
  say(`Installing ${CLI} …`);
  execFileSync('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', CLI], { stdio: 'ignore' });
  return join(folder, 'node_modules/.bin/bp');
}
const command = process.env.BP ?? install();

/** Runs `bp`, and answers its prompts with Enter. @returns what it printed */
async function bp(...args: string[]): Promise<string> {
  const child = spawn(command, [...args, '--botpressHome', home], { cwd: folder });
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', text => {
      output[stream] += text;
    });
  }
  // It may end between two of them.
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

try {
  await bp('login', '--apiUrl', local.apiUrl, '--token', local.tokens.owner);
  assert.ok((await json('bots', 'ls')).some((bot: { id: string }) => bot.id === local.botId));

  const chat = await json('integrations', 'get', 'chat@latest');
  assert.equal(chat.id, local.integrationId);
  assert.ok((await json('integrations', 'ls')).some((each: { id: string }) => each.id === local.integrationId));

  for (const { name, version } of WELL_KNOWN_INTERFACES) {
    // Not parsed: the command ends before it has printed a long answer.
    await bp('interfaces', 'get', `${name}@${version}`);
  }
  // This version of the command lists the workspace's own only, and knows no plugins.
  const { interface: own } = await api('POST', '/interfaces', { name: unique, version: '1.0.0' });
  assert.ok((await json('interfaces', 'ls')).some((each: { id: string }) => each.id === own.id));

  await bp('interfaces', 'delete', unique);
  say('All of it works.');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

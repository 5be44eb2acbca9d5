/**
 * Tests `npm run hub` with integrations of the public repository against a platform that it starts and stops:
 * `REPOSITORY=<a clone of botpress/botpress> npm run test:hub`. Requires npm and git. Exits with an error at the first
 * failure.
 */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { spawnStart, untilStarted } from '#test/infra/local/startProcess.ts';

const { REPOSITORY } = process.env;
if (!REPOSITORY) throw new Error('Set REPOSITORY to the folder of a clone of https://github.com/botpress/botpress.');

const HUB = join(import.meta.dirname, '../../infra/hub/hub.ts');
const DEFINITION = 'integrations/todoist/integration.definition.ts';
const say = (text: string) => process.stdout.write(`${text}\n`);
const folder = await mkdtemp(join(tmpdir(), 'parley-hub-'));
const state = join(folder, 'state');
const environment = { ...process.env, PARLEY_DIR: state, NO_COLOR: '1' };
const started = spawnStart(state);
const ended = once(started.child, 'exit');

async function hub(...args: string[]): Promise<{ code: number; output: string }> {
  const running = promisify(execFile)(process.execPath, [HUB, ...args, '--local'], { env: environment });
  running.child.stdin?.end();
  return running.then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stdout, stderr }) => ({ code, output: `${stdout}${stderr}` }),
  );
}

/** Returns a bare clone whose newest commit has a new version of the integration todoist. */
function cloneWithNewVersion(): string {
  const clone = join(folder, 'clone.git');
  execFileSync('git', ['clone', '--quiet', '--bare', '--shared', REPOSITORY!, clone]);
  const git = (args: string[], input?: string) =>
    execFileSync('git', ['-C', clone, '-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], {
      encoding: 'utf8',
      input,
      env: { ...process.env, GIT_INDEX_FILE: join(folder, 'index') },
    }).trim();
  const definition = git(['show', `HEAD:${DEFINITION}`]).replace(/version: '[^']+'/, "version: '99.0.0'");
  git(['read-tree', 'HEAD']);
  const blob = git(['hash-object', '-w', '--stdin'], definition);
  git(['update-index', '--add', '--cacheinfo', `100644,${blob},${DEFINITION}`]);
  const tree = git(['write-tree', '--missing-ok']);
  git(['update-ref', 'HEAD', git(['commit-tree', tree, '-p', 'HEAD', '-m', 'Release'])]);
  return clone;
}

try {
  const local = await untilStarted(started, state);
  const get = async (path: string) => {
    const headers = { authorization: `Bearer ${local.tokens.owner}`, 'x-workspace-id': local.workspaceId };
    const response = await fetch(`${local.apiUrl}/v1/admin/hub/integrations${path}`, { headers });
    assert.ok(response.ok, `${path}: ${response.status}`);
    // biome-ignore lint/suspicious/noExplicitAny: each step reads a few fields
    return (await response.json()) as any;
  };

  const unknown = await hub('add', 'telegrm', '--from', REPOSITORY);
  assert.equal(unknown.code, 1);
  assert.match(unknown.output, /Did you mean telegram\?/);
  const without = await hub('add', 'telegram', '--from', folder);
  assert.equal(without.code, 1);
  assert.match(without.output, /is not a git clone\. .*git clone/);
  say('ok   suggests the nearest name, and explains how to clone');

  const first = await hub('add', 'webhook', 'telegram', '--from', REPOSITORY);
  assert.equal(first.code, 0, first.output);
  assert.match(first.output, /2 deployed/);
  assert.ok(first.output.includes(`redirect URL    ${local.apiUrl}/webhook/oauth`));
  const { integrations } = await get('?limit=100');
  const published = ['telegram', 'webhook'].map(name =>
    integrations.find((each: { name: string }) => each.name === name),
  );
  assert.deepEqual(
    published.map(({ visibility, ownerWorkspace }) => [visibility, ownerWorkspace.handle]),
    [
      ['public', 'integrations'],
      ['public', 'integrations'],
    ],
  );
  say('ok   the hub lists telegram and webhook without a handle');

  const second = await hub('add', 'webhook', 'telegram', '--from', REPOSITORY);
  assert.match(second.output, /0 deployed, 0 configured, 2 unchanged/);
  for (const { id, updatedAt } of published) {
    const { integration } = await get(`/${id}`);
    assert.equal(integration.updatedAt, updatedAt);
  }
  say('ok   a second run changes nothing');

  const bot = join(folder, 'bot');
  await mkdir(bot);
  await writeFile(join(bot, 'package.json'), '{ "name": "bot" }');
  const cli = join(state, 'hub/source/packages/cli/bin.js');
  const { tokens, workspaceId, apiUrl } = local;
  const credentials = { BP_API_URL: apiUrl, BP_TOKEN: tokens.owner, BP_WORKSPACE_ID: workspaceId };
  await promisify(execFile)(process.execPath, [cli, 'add', 'telegram', '-y', '--botpressHome', join(folder, 'home')], {
    cwd: bot,
    env: { ...environment, ...credentials },
  });
  const { bpDependencies } = JSON.parse(await readFile(join(bot, 'package.json'), 'utf8'));
  assert.deepEqual(bpDependencies, { telegram: `integration:telegram@${published[0].version}` });
  say('ok   bp add telegram');

  const partly = await hub('add', 'todoist', '--from', REPOSITORY);
  assert.equal(partly.code, 0, partly.output);
  assert.match(partly.output, /missing secret {2}CLIENT_ID/);
  const secrets = join(folder, 'secrets.env');
  await writeFile(secrets, 'todoist.CLIENT_ID=ours\ntodoist.CLIENT_SECRET=b\ntodoist.WEBHOOK_SHARED_SECRET=c\n');
  const configured = await hub('add', 'todoist', '--from', REPOSITORY, '--secrets', secrets);
  assert.match(configured.output, /0 deployed, 1 configured/);
  assert.doesNotMatch(configured.output, /missing secret/);
  const { integration: todoist } = await get('/todoist/latest');
  assert.match(todoist.configuration.identifier.linkTemplateScript, /clientId = "ours"/);
  say('ok   todoist: reports missing secrets, then sets them and names the OAuth application in its link');

  const headers = { authorization: `Bearer ${tokens.owner}`, 'x-workspace-id': workspaceId };
  const url = `${apiUrl}/v1/admin/bots/${local.botId}`;
  const installation = { integrationId: published[0].id, enabled: true, configuration: { botToken: '1:wrong' } };
  const body = JSON.stringify({ integrations: { telegram: installation } });
  const installed = await fetch(url, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  });
  assert.ok(installed.ok, `${installed.status}: ${await installed.text()}`);
  assert.match((await hub('logs', 'telegram', '--from', REPOSITORY)).output, /telegram \S+ \w+ .+/);
  say('ok   a bot of another workspace installs telegram, and the operator reads its log');

  const newer = cloneWithNewVersion();
  assert.match((await hub('list', '--from', newer)).output, /todoist +\S+ +99\.0\.0 +behind: update/);
  const updated = await hub('update', '--from', newer);
  assert.equal(updated.code, 0, updated.output);
  assert.match(updated.output, /1 of 1 {2}todoist 99\.0\.0 {2}deployed/);
  assert.doesNotMatch(updated.output, /missing secret/);
  const { integration: release } = await get('/todoist/latest');
  assert.equal(release.version, '99.0.0');
  assert.match(release.configuration.identifier.linkTemplateScript, /clientId = "ours"/);
  assert.match((await hub('update', '--from', newer)).output, /Nothing to update/);
  say('ok   update deploys the new version with the secrets of the previous one');
  say('All steps passed.');
} finally {
  started.child.kill('SIGINT');
  await ended;
  await rm(folder, { recursive: true, force: true });
}

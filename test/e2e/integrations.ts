/**
 * Tests integrations and plugins of the public repository, built and deployed with its own CLI, against a platform that
 * `npm start` runs and stand-ins of their providers: `REPOSITORY=<a clone of botpress/botpress> npm run
 * test:integrations`, or `… -- slack github` for some of them. Builds in a temporary folder; requires npm, git and
 * openssl. Exits with an error after a failure.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { buildFrom, manifestOf } from '#infra/hub/buildSources.ts';
import type { LocalFile } from '#infra/local/demo.ts';
import { startRelay } from '#infra/local/services/startRelay.ts';
import { stateDirectory } from '#infra/settings/stateDirectory.ts';
import { startExchange } from './integrations/exchange.ts';
import { testHitl } from './integrations/hitl.ts';
import { testPlugin } from './integrations/plugin.ts';
import { providers } from './integrations/providers/index.ts';
import { startRecordingBot } from './integrations/recordingBot.ts';
import { startStandIn } from './integrations/standIn.ts';

// The package's ES module is built for browsers and does not load in Node.
const { Client }: typeof import('@botpress/client') = createRequire(import.meta.url)('@botpress/client');

const plugins = { logger: testPlugin, hitl: testHitl };
const { REPOSITORY } = process.env;
if (!REPOSITORY) throw new Error('Set REPOSITORY to the folder of a clone of https://github.com/botpress/botpress.');
const known = [...Object.keys(providers), ...Object.keys(plugins)];
const names = process.argv.length > 2 ? process.argv.slice(2) : known;
const unknown = names.find(name => !known.includes(name));
if (unknown) throw new Error(`${unknown} has no test. Choose from ${known.join(', ')}.`);
const isIntegration = (name: string) => name in providers;
const failed: string[] = [];

const local: LocalFile = JSON.parse(readFileSync(join(stateDirectory, 'local.json'), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'parley-integrations-'));
const say = (text: string) => process.stdout.write(`${text}\n`);
const { apiUrl, workspaceId } = local;
const owner = new Client({ apiUrl, workspaceId, token: local.tokens.owner });
const standIn = await startStandIn(folder);
// Bundles exceed the limit of a request.
const relay = await startRelay(apiUrl, 0);

async function bp(where: string, ...args: string[]): Promise<string> {
  const options = ['--botpressHome', join(folder, 'home'), '-y'];
  const cli = join(folder, 'packages/cli/bin.js');
  const done = promisify(execFile)(process.execPath, [cli, ...args, ...options], { cwd: where });
  done.child.stdin?.end();
  const { stdout } = await done.catch(error =>
    assert.fail(`bp ${args[0]} of ${basename(where)}: ${error.stdout}${error.stderr}`),
  );
  say(`ok   bp ${args[0]} of ${basename(where)}`);
  return stdout;
}

/** Deploys an integration as code whose connections lead to the stand-in. @returns its id */
async function deploy(name: string): Promise<string> {
  const { answers, secrets = {} } = providers[name]!;
  const path = join(folder, 'integrations', name);
  if ('bpDependencies' in manifestOf(path)) await bp(path, 'add');
  await bp(path, 'build');
  const bundle = join(path, '.botpress/dist/index.cjs');
  writeFileSync(bundle, standIn.redirection(answers) + readFileSync(bundle, 'utf8'));
  const flags = Object.entries(secrets).flatMap(each => ['--secrets', each.join('=')]);
  await bp(path, 'deploy', '--noBuild', ...flags);
  const { integrations } = await owner.listIntegrations({});
  return integrations.find(each => each.name.split('/').at(-1) === name)!.id;
}

async function testIntegration(name: string): Promise<void> {
  const test = providers[name]!;
  const id = await deploy(name);
  const bot = await startRecordingBot(owner, apiUrl, `With ${name}`);
  standIn.play(test.answers);
  try {
    await test.run(startExchange(name, id, { owner, local, bot, standIn }));
    assert.deepEqual(standIn.unexpected, []);
  } catch (error) {
    failed.push(name);
    say(`FAIL ${name}: ${(error as Error).stack}`);
    await explain(bot.id);
  } finally {
    await bot.stop();
    await owner.deleteIntegration({ id });
  }
}

/** Prints what the provider and the bot's log have on a failed exchange. */
async function explain(botId: string): Promise<void> {
  for (const { route, body } of standIn.calls) say(`     ${route} ${JSON.stringify(body)}`);
  const timeStart = new Date(Date.now() - 3_600_000).toISOString();
  const { logs } = await owner.getBotLogs({ id: botId, timeStart, timeEnd: new Date().toISOString() });
  for (const { level, message } of logs) say(`     ${level}: ${message}`);
}

async function run(): Promise<void> {
  say(`Building the CLI and ${names.join(', ')} …`);
  await buildFrom(
    REPOSITORY!,
    folder,
    names.map(name => `${isIntegration(name) ? 'integrations' : 'plugins'}/${name}`),
  );
  // The CLI only deploys integrations of workspaces with a handle, and prefixes their names with it.
  const { handle = `of-${Date.now().toString(36)}` } = await owner.getWorkspace({ id: workspaceId });
  await owner.updateWorkspace({ id: workspaceId, handle });
  await bp(folder, 'login', '--apiUrl', relay.endpoint, '--token', local.tokens.owner, '--workspaceId', workspaceId);
  for (const name of names.filter(isIntegration)) await testIntegration(name);
  for (const [name, test] of Object.entries(plugins)) {
    if (names.includes(name)) await test({ folder, handle, local, bp });
  }
  assert.deepEqual(failed, []);
  say('All steps passed.');
}

try {
  await run();
} finally {
  standIn.stop();
  await relay.stop();
  rmSync(folder, { recursive: true, force: true });
}

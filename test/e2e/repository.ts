/**
 * `REPOSITORY=<a clone of botpress/botpress> npm run test:repository [-- NAME…]`: builds the CLI and all interfaces,
 * integrations, plugins and bots of the public repository from source, deploys them with this CLI to a platform that
 * it starts, and records what each of them does without its provider. Writes docs/repository.md after a complete run.
 *
 * Works in `WORK_FOLDER`, by default a temporary folder named after the commit. A run continues the previous one there:
 * it skips what succeeded. With names, it tries these packages again, for example `slack` or `bots/echo`.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  buildFrom,
  listPackages,
  type MissingDependency,
  PACKAGE_KINDS,
  type SourcePackage,
} from '#infra/hub/buildSources.ts';
import { runCli } from '#infra/hub/commandLine.ts';
import { startRelay } from '#infra/local/services/startRelay.ts';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { spawnStart, untilStarted } from '#test/infra/local/startProcess.ts';
import { writePage } from './repository/page.ts';
import { failuresOf, type Outcome, Results, STEPS } from './repository/results.ts';
import { type Platform, tryPackage } from './repository/tryPackage.ts';

/** One package waits for the platform while the next one is built. */
const CONCURRENCY = 3;

const { REPOSITORY } = process.env;
if (!REPOSITORY) throw new Error('Set REPOSITORY to the folder of a clone of https://github.com/botpress/botpress.');

const commit = execFileSync('git', ['-C', REPOSITORY, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
const work = process.env.WORK_FOLDER ?? join(tmpdir(), `parley-repository-${commit.slice(0, 10)}`);
const sources = join(work, 'sources');
const state = join(work, 'state');
const say = (text: string) => process.stdout.write(`${text}\n`);

const packages = listPackages(REPOSITORY);
const names = process.argv.slice(2);
const isNamed = ({ name, path }: SourcePackage) => names.includes(name) || names.includes(path);
const unknown = names.filter(given => !packages.some(({ name, path }) => given === name || given === path));
if (unknown.length > 0) throw new Error(`The repository has no package ${unknown.join(', ')}.`);

/** Builds once for each commit. */
async function prepare(): Promise<{ cli: string; missing: MissingDependency[] }> {
  const done = join(work, 'built.json');
  if (existsSync(done)) return JSON.parse(readFileSync(done, 'utf8'));
  rmSync(sources, { recursive: true, force: true });
  mkdirSync(sources, { recursive: true });
  say(`Building the CLI and installing the dependencies of ${packages.length} packages in ${sources} …`);
  const missing: MissingDependency[] = [];
  const paths = packages.map(({ path }) => path);
  const cli = await buildFrom(REPOSITORY!, sources, paths, each => missing.push(each));
  writeFileSync(done, JSON.stringify({ cli, missing }));
  return { cli, missing };
}

function describe({ path, version, steps, seconds }: Outcome): string {
  const texts = STEPS.flatMap(name => {
    const step = steps[name];
    return step ? [`${name} ${step.result}${step.detail ? ` (${step.detail})` : ''}`] : [];
  });
  return `${path}${version ? `@${version}` : ''}: ${texts.join(', ')} [${seconds} s]`;
}

async function tryAll(platform: Platform): Promise<void> {
  const { results } = platform;
  const isDone = (source: SourcePackage) => {
    const known = results.get(source.path);
    return known !== undefined && failuresOf(known).length === 0;
  };
  const chosen = packages.filter(source => (names.length > 0 ? isNamed(source) : !isDone(source)));
  let count = 0;
  for (const kind of PACKAGE_KINDS) {
    const ofKind = chosen.filter(source => source.kind === kind);
    await mapConcurrently(ofKind, CONCURRENCY, async source => {
      const outcome = await tryPackage(platform, source);
      results.set(outcome);
      say(`${++count}/${chosen.length} ${describe(outcome)}`);
    });
  }
}

const { cli, missing } = await prepare();
const results = new Results(join(work, 'results.json'));
const started = spawnStart(state);
const ended = once(started.child, 'exit');
try {
  const local = await untilStarted(started, state);
  const bp: Platform['bp'] = (path, ...args) => runCli({ folder: sources, cli }, path, args);
  const { apiUrl, tokens, workspaceId } = local;
  const login = await bp('', 'login', '--apiUrl', apiUrl, '--token', tokens.owner, '--workspaceId', workspaceId);
  if (!login.ok) throw new Error(login.output);
  const relay = await startRelay(apiUrl, 0);
  await tryAll({ local, relayUrl: relay.endpoint, folder: sources, bp, missing, results }).finally(relay.stop);
} finally {
  started.child.kill('SIGINT');
  await ended;
}
const outcomes = packages.flatMap(({ path }) => results.get(path) ?? []);
const failed = outcomes.filter(outcome => failuresOf(outcome).length > 0);
for (const outcome of failed) say(`failed: ${describe(outcome)}`);
const versionOf = (name: string): string =>
  JSON.parse(readFileSync(join(sources, 'packages', name, 'package.json'), 'utf8')).version;
if (outcomes.length === packages.length) writePage(outcomes, { commit, cli: versionOf('cli'), sdk: versionOf('sdk') });
say(`${outcomes.length} of ${packages.length} packages tried, ${failed.length} with a failure of Parley.`);
process.exit(failed.length > 0 ? 1 : 0);

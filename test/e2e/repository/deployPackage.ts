/** Builds and deploys a package of the public repository with the CLI. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { bpDependenciesIn, type MissingDependency, type SourcePackage } from '#infra/hub/buildSources.ts';
import { errorIn, type Run } from '#infra/hub/commandLine.ts';
import type { Schema } from './placeholder.ts';
import type { Outcome, Step } from './results.ts';

/** What `bp read --json` prints of a definition. */
export interface Definition {
  name: string;
  version?: string;
  configuration?: { schema?: Schema };
}

export type Bp = (path: string, ...args: string[]) => Promise<Run>;

export interface Deployed {
  outcome: Outcome;
  /** Absent if the package was not deployed. */
  definition?: Definition;
  output: string;
}

interface Context {
  /** Deploys what exceeds a request. */
  relayUrl: string;
  folder: string;
  bp: Bp;
  missing: readonly MissingDependency[];
}

export const BUNDLE = '.botpress/dist/index.cjs';

const FLAGS = {
  interface: ['--visibility', 'public'],
  integration: ['--noBuild', '--allowDeprecated'],
  plugin: ['--noBuild'],
  bot: ['--noBuild'],
};

export async function deployPackage(
  { folder, bp, missing, relayUrl }: Context,
  source: SourcePackage,
  flags: readonly string[],
): Promise<Deployed> {
  const outcome: Outcome = { ...source, seconds: 0, steps: {} };
  const { path, kind } = source;
  const end = (step: 'built' | 'deployed', result: Step, output: string): Deployed => {
    outcome.steps[step] = result;
    return { outcome, output };
  };

  for (const command of ['add', 'build']) {
    const run = await bp(path, command);
    if (run.ok) continue;
    // Both read local files only.
    const lacking = missing.find(each => each.path === path && run.output.includes(each.name));
    const detail = lacking
      ? `requires ${lacking.name} ${lacking.version}, which the npm registry does not have`
      : `bp ${command}: ${errorIn(run.output)}`;
    return end('built', { result: 'source', detail }, run.output);
  }
  outcome.steps.built = { result: 'yes' };
  if (kind !== 'interface') outcome.bytes = statSync(join(folder, path, BUNDLE)).size;

  const read = await bp(path, 'read', '--json');
  if (!read.ok) return end('deployed', { result: 'source', detail: `bp read: ${errorIn(read.output)}` }, read.output);
  const definition: Definition = JSON.parse(read.stdout);
  outcome.version = definition.version;

  const secrets = requiredSecrets(join(folder, path)).flatMap(name => ['--secrets', `${name}=placeholder`]);
  const command = ['deploy', ...FLAGS[kind], ...secrets, ...flags];
  const direct = await bp(path, ...command);
  const isTooLarge = !direct.ok && direct.output.includes('npm run relay');
  const run = isTooLarge ? await bp(path, ...command, '--apiUrl', relayUrl) : direct;
  if (!run.ok) return end('deployed', { result: 'failed', detail: errorIn(run.output) }, run.output);
  outcome.steps.deployed = { result: 'yes', ...(isTooLarge ? { detail: 'through the relay' } : {}) };
  return { outcome, definition, output: run.output };
}

const REQUIRED_SECRET = /Missing required secret "(\w+)"/g;

/** The definition that the CLI prints has no secrets, but the code that it generates does. */
function requiredSecrets(folder: string): string[] {
  const file = join(folder, '.botpress/secrets/index.ts');
  if (!existsSync(file)) return [];
  return [...readFileSync(file, 'utf8').matchAll(REQUIRED_SECRET)].map(([, name]) => name!);
}

export const bpDependenciesOf = (folder: string, path: string): string[] =>
  bpDependenciesIn(readFileSync(join(folder, path, 'package.json'), 'utf8'));

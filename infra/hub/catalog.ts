/** The integrations of a clone of the public repository. Reads the newest commit, and also a bare clone. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '#infra/operator/target/target.ts';
import { bpDependenciesIn, checkOut, listPackages } from './buildSources.ts';

export interface Source {
  /** The published name, which can differ from the folder's. */
  name: string;
  /** Undefined if the definition computes it. */
  version: string | undefined;
  /** Relative to the repository. */
  path: string;
  /** Changes with the source of the integration and of the interfaces that it implements. */
  hash: string;
  /** Folders of the interfaces, relative to the repository. */
  interfaces: string[];
}

export interface Catalog {
  commit: string;
  /** Identifies the sources of the CLI and the SDK. */
  tools: string;
  sources: Source[];
}

/** Parley runs these itself. */
const BUILT_IN: ReadonlySet<string> = new Set(['chat', 'webchat', 'inbox']);

const HOW_TO_CLONE =
  'Clone the integrations with "git clone --depth 1 https://github.com/botpress/botpress" and pass the folder: --from botpress.';

function git(repository: string, ...args: string[]): string {
  return execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

/** @param folder for the definitions @throws UsageError without a clone of the public repository */
export function readCatalog(repository: string | undefined, folder: string): Catalog {
  if (!repository) throw new UsageError(HOW_TO_CLONE);
  const commit = commitOf(repository);
  const integrations = listPackages(repository).filter(({ kind }) => kind === 'integration');
  if (integrations.length === 0)
    throw new UsageError(`${repository} has no folder integrations with integrations. ${HOW_TO_CLONE}`);
  const definitions = join(folder, 'definitions', commit);
  if (!existsSync(definitions)) {
    const files = ['integration.definition.ts', 'package.json'];
    const paths = integrations.flatMap(({ path }) => files.map(file => `${path}/${file}`));
    checkOut(repository, definitions, paths);
  }
  const read = (path: string) => readFileSync(join(definitions, path), 'utf8');
  const declared = integrations.map(({ name, path }) => ({
    path,
    ...nameAndVersion(read(`${path}/integration.definition.ts`), name),
    interfaces: bpDependenciesIn(read(`${path}/package.json`)),
  }));
  const trees = treesOf(repository, [
    ...new Set(['packages', ...declared.flatMap(({ path, interfaces }) => [path, ...interfaces])]),
  ]);
  const sources = declared
    .filter(({ name }) => !BUILT_IN.has(name))
    .map(source => ({
      ...source,
      hash: hashOf([source.path, ...source.interfaces].map(path => trees.get(path) ?? '')),
    }));
  return { commit, tools: trees.get('packages') ?? '', sources };
}

function commitOf(repository: string): string {
  try {
    return git(repository, 'rev-parse', '--verify', 'HEAD').trim();
  } catch {
    throw new UsageError(`${repository} is not a git clone. ${HOW_TO_CLONE}`);
  }
}

const treesOf = (repository: string, paths: readonly string[]): Map<string, string> => {
  const ids = git(repository, 'rev-parse', ...paths.map(path => `HEAD:${path}`)).split('\n');
  return new Map(paths.map((path, i) => [path, ids[i]!]));
};

export const hashOf = (parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);

/** Reads literals and constants of the same file. */
export function nameAndVersion(definition: string, folder: string): { name: string; version: string | undefined } {
  const textOf = (field: string) => {
    const [, literal, constant] = new RegExp(`^\\s*${field}: (?:'([^']+)'|(\\w+)),`, 'm').exec(definition) ?? [];
    return literal ?? (constant && new RegExp(`const ${constant} = '([^']+)'`).exec(definition)?.[1]);
  };
  return { name: textOf('name') ?? folder, version: textOf('version') };
}

/** @throws UsageError for an unknown name, with the nearest one */
export function chooseSources(sources: readonly Source[], names: readonly string[]): Source[] {
  return names.map(name => {
    const found = sources.find(source => source.name === name || source.path === `integrations/${name}`);
    if (found) return found;
    if (BUILT_IN.has(name)) throw new UsageError(`${name} is part of Parley. Run "bp add ${name}" in your bot.`);
    const nearest = nearestName(
      name,
      sources.map(source => source.name),
    );
    throw new UsageError(
      `The clone has no integration ${name}. ${nearest ? `Did you mean ${nearest}?` : 'Run npm run hub -- list to see all names.'}`,
    );
  });
}

/** Returns undefined if no name is similar. */
export function nearestName(wanted: string, names: readonly string[]): string | undefined {
  const [nearest] = names
    .map(name => ({ name, distance: name.includes(wanted) || wanted.includes(name) ? 1 : distance(wanted, name) }))
    .sort((a, b) => a.distance - b.distance);
  return nearest && nearest.distance <= Math.max(2, wanted.length / 3) ? nearest.name : undefined;
}

/** The Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1]! + Number(a[i - 1] !== b[j - 1]);
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, change));
    }
    row = next;
  }
  return row[b.length]!;
}

/** Builds integrations with the CLI of the clone, in a folder that is kept, so that unchanged ones are not rebuilt. */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { buildFrom } from './buildSources.ts';
import { type Catalog, hashOf, type Source } from './catalog.ts';
import type { DeclaredSecret } from './secretValues.ts';
import { TELEMETRY_KEY, turnOffTelemetry } from './telemetry.ts';

export interface Built {
  /** Identifies the source and the tools that built it. */
  key: string;
  name: string;
  version: string;
  secrets: DeclaredSecret[];
}

export interface Workshop {
  folder: string;
  /** The command line's file. */
  cli: string;
  tools: string;
  /** Dependencies that the npm registry does not have, by the path of the package. */
  missing: Record<string, string[]>;
}

/** What the folder contains. */
interface Contents {
  tools: string;
  cli: string;
  hashes: Record<string, string>;
  missing: Record<string, string[]>;
}

/** Checks out the sources and builds the CLI, unless the folder contains both. */
export async function prepareWorkshop(
  repository: string,
  folder: string,
  { catalog, sources, say }: { catalog: Catalog; sources: readonly Source[]; say: (line: string) => void },
): Promise<Workshop> {
  const file = join(folder, 'contents.json');
  const before: Contents | undefined = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  const isCurrent = before?.tools === catalog.tools && sources.every(({ path, hash }) => before.hashes[path] === hash);
  if (isCurrent) return { folder, ...before };
  const known = catalog.sources.filter(({ path }) => before?.hashes[path] !== undefined);
  const wanted = [...new Set([...known, ...sources])];
  say(
    `Preparing the CLI and ${wanted.length} ${wanted.length === 1 ? 'integration' : 'integrations'}, which takes minutes …`,
  );
  mkdirSync(folder, { recursive: true });
  rmSync(file, { force: true });
  for (const { path, hash } of wanted) {
    if (before?.hashes[path] !== hash) rmSync(join(folder, path), { recursive: true, force: true });
  }
  // A build links these, which npm would keep.
  for (const path of ['@botpress', '@bpinternal/zui', '.package-lock.json'])
    rmSync(join(folder, 'node_modules', path), { recursive: true, force: true });
  const missing: Contents['missing'] = {};
  const cli = await buildFrom(
    repository,
    folder,
    wanted.map(({ path }) => path),
    ({ path, name, version }) => {
      missing[path] = [...(missing[path] ?? []), `${name}@${version}`];
    },
  );
  turnOffTelemetry(folder);
  const hashes = Object.fromEntries(wanted.map(({ path, hash }) => [path, hash]));
  const contents: Contents = { tools: catalog.tools, cli, hashes, missing };
  writeFileSync(file, JSON.stringify(contents));
  return { folder, ...contents };
}

/** Runs the CLI. @throws Error with its output */
export async function runCli(
  { cli, folder }: Workshop,
  path: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<void> {
  const { PATH, HOME, TMPDIR } = process.env;
  const running = promisify(execFile)(process.execPath, [cli, ...args, '-y', '--botpressHome', join(folder, 'home')], {
    cwd: join(folder, path),
    env: { PATH, HOME, TMPDIR, NO_COLOR: '1', ...env },
    maxBuffer: 64 * 1024 ** 2,
  });
  running.child.stdin?.end();
  await running.catch(({ stdout, stderr, message }) => {
    throw new Error(`bp ${args[0]}: ${lastLines(`${stdout}\n${stderr}`) || message}`);
  });
}

const lastLines = (output: string): string =>
  output
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !/^(🤖|🏠|○|✓|Run with|at )/.test(line))
    .slice(-6)
    .join('\n');

/** Builds an integration, unless its build is current. @throws Error with the reason */
export async function buildIntegration(workshop: Workshop, source: Source): Promise<Built> {
  const { folder, tools, missing } = workshop;
  const key = hashOf([tools, source.hash]);
  const output = join(folder, source.path, '.botpress');
  const file = join(output, 'built.json');
  const before: Built | undefined = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  if (before?.key === key) return before;
  rmSync(output, { recursive: true, force: true });
  try {
    if (source.interfaces.length > 0) await runCli(workshop, source.path, ['add']);
    await runCli(workshop, source.path, ['build']);
    const built = { key, ...(await readDefinition(join(folder, source.path))) };
    writeFileSync(file, JSON.stringify(built));
    return built;
  } catch (error) {
    const absent = missing[source.path];
    if (!absent) throw error;
    throw new Error(`The npm registry does not have ${absent.join(' and ')}. ${(error as Error).message}`);
  }
}

interface Definition {
  name: string;
  version: string;
  secrets?: Record<string, { description?: string; optional?: boolean }>;
}

/** Reads what the CLI does not print. */
async function readDefinition(folder: string): Promise<Omit<Built, 'key'>> {
  const outfile = join(folder, '.botpress/definition.cjs');
  await build({
    entryPoints: [join(folder, 'integration.definition.ts')],
    absWorkingDir: folder,
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'silent',
  });
  const { default: definition } = createRequire(import.meta.url)(outfile) as { default: Definition };
  const secrets = Object.entries(definition.secrets ?? {}).map(([name, { description, optional = false }]) => ({
    name,
    description,
    isRequired: !optional,
    isOptional: optional || name === TELEMETRY_KEY,
  }));
  return { name: definition.name, version: definition.version, secrets };
}

/** Returns the body with which the CLI creates an interface. */
export function readInterface({ cli, folder }: Workshop, path: string): object {
  const options = ['read', '--json', '--botpressHome', join(folder, 'home')];
  const output = execFileSync(process.execPath, [cli, ...options], { cwd: join(folder, path), encoding: 'utf8' });
  return JSON.parse(output);
}

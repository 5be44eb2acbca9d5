/** Builds integrations with the CLI of the clone, in a folder that is kept, so that unchanged ones are not rebuilt. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { buildFrom } from './buildSources.ts';
import { type Catalog, hashOf, type Source } from './catalog.ts';
import { type Checkout, errorIn, type Run, runCli } from './commandLine.ts';
import type { DeclaredSecret } from './secretValues.ts';
import { TELEMETRY_KEY, turnOffTelemetry } from './telemetry.ts';

export interface Built {
  /** Identifies the source and the tools that built it. */
  key: string;
  name: string;
  version: string;
  secrets: DeclaredSecret[];
}

export interface Workshop extends Checkout {
  tools: string;
  /** Dependencies that the npm registry does not have, by the path of the package. */
  missing: Record<string, string[]>;
}

/** State of the workshop's folder, stored in `contents.json`. */
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

/** @throws Error with the reason of a failure */
export async function requireRun(
  workshop: Workshop,
  path: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Run> {
  const run = await runCli(workshop, path, args, env);
  if (!run.ok) throw new Error(`bp ${args[0]}: ${errorIn(run.output)}`);
  return run;
}

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
    if (source.interfaces.length > 0) await requireRun(workshop, source.path, ['add']);
    await requireRun(workshop, source.path, ['build']);
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
export const readInterface = async (workshop: Workshop, path: string): Promise<object> =>
  JSON.parse((await requireRun(workshop, path, ['read', '--json'])).stdout);

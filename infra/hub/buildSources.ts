/**
 * Builds the CLI of the public repository from source in a separate folder, and installs the dependencies of its
 * integrations, plugins, interfaces and bots there. esbuild builds only the imported workspace packages.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';

const CLIENT = '@botpress/client';
/** Packages without source in the repository: `client` is generated, and only an unused command needs `chat`. */
const PUBLISHED = { [CLIENT]: '1.45.0', '@botpress/chat': '0.5.5' };
const POLYFILLS = 'esbuild-plugin-polyfill-node';
const BUILDERS = { esbuild: '^0.25.10', [POLYFILLS]: '^0.3.0' };
/** Its server is generated from the definition of its API. */
const CHAT = 'integrations/chat';
const CHAT_GENERATOR = { '@botpress/api': '^1.70.0' };
/** Writes the environment variables of a bot's secrets to a file, which the bot's definition imports. */
const GENENV = '@bpinternal/genenv';
const BUILT = ['cli', 'sdk', 'zui', 'cognitive'];
/** Packages that are imported as source. */
const LINKED = ['common', 'sdk-addons', 'chat-api'];
const SOURCES = [...BUILT, ...LINKED].map(name => `packages/${name}`);
/** Dependencies that zui and cognitive bundle. Their other tools are not needed. */
const BUNDLED: ReadonlySet<string> = new Set(['lodash-es', 'ms']);
const MAX_BYTES = 1024 ** 3;

const git = (repository: string, args: readonly string[], input?: string): Buffer =>
  execFileSync('git', ['-C', repository, ...args], { input, maxBuffer: MAX_BYTES });

const pathsOf = (repository: string, paths: readonly string[]): string[] =>
  git(repository, ['ls-tree', '-r', '--name-only', 'HEAD', ...paths])
    .toString()
    .trim()
    .split('\n');

/** Copies folders of the newest commit. A bare or partial clone suffices. */
export function checkOut(repository: string, folder: string, paths: readonly string[]): void {
  const files = pathsOf(repository, paths);
  const objects = git(repository, ['cat-file', '--batch'], files.map(path => `HEAD:${path}\n`).join(''));
  let at = 0;
  for (const path of files) {
    const end = objects.indexOf('\n', at);
    const [, type, size] = objects.toString('utf8', at, end).split(' ');
    if (type !== 'blob') throw new Error(`The clone does not contain ${path}. Fetch its objects first.`);
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, objects.subarray(end + 1, end + 1 + Number(size)));
    at = end + 1 + Number(size) + 1;
  }
}

/** Kinds of packages, in the order in which they depend on each other. */
export const PACKAGE_KINDS = ['interface', 'integration', 'plugin', 'bot'] as const;
export type PackageKind = (typeof PACKAGE_KINDS)[number];

export interface SourcePackage {
  kind: PackageKind;
  /** Name of the folder. The definition can have another name. */
  name: string;
  /** Relative to the repository. */
  path: string;
}

/** Lists the packages of the repository that the CLI can deploy, interfaces first. */
export function listPackages(repository: string): SourcePackage[] {
  const paths = new Set(pathsOf(repository, ['integrations', 'plugins', 'interfaces', 'bots']));
  return PACKAGE_KINDS.flatMap(kind => {
    const definition = new RegExp(`^${kind}s/([^/]+)/${kind}\\.definition\\.ts$`);
    return [...paths].flatMap(path => {
      const name = definition.exec(path)?.[1];
      return name ? [{ kind, name, path: dirname(path) }] : [];
    });
  });
}

interface Manifest {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  scripts?: Record<string, string>;
}
const manifestFile = (folder: string) => join(folder, 'package.json');
export const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(manifestFile(folder), 'utf8'));

/** Returns the folders of the packages that a package declares as dependencies, relative to the repository. */
export function bpDependenciesIn(manifest: string): string[] {
  const { bpDependencies = {} } = JSON.parse(manifest) as { bpDependencies?: Record<string, string> };
  return Object.values(bpDependencies).map(path => path.replace(/^(\.\.\/)+/, ''));
}

/** A dependency that the npm registry does not have. */
export interface MissingDependency {
  /** Path of the package that declares it, relative to the repository. */
  path: string;
  name: string;
  version: string;
}

const isPublished = ([name, version]: [string, string]) =>
  !name.startsWith('@botpress/') && !version.startsWith('workspace:');

/** Installs what the packages declare, each with its own versions. */
function install(folder: string, packages: readonly string[], onMissing: (missing: MissingDependency) => void): void {
  const shared = SOURCES.flatMap(path => {
    const { dependencies = {}, devDependencies = {} } = manifestOf(join(folder, path));
    return [...Object.entries(dependencies), ...Object.entries(devDependencies).filter(([name]) => BUNDLED.has(name))];
  });
  const builders = { ...BUILDERS, ...(packages.includes(CHAT) ? CHAT_GENERATOR : {}) };
  const dependencies = { ...Object.fromEntries(shared.filter(isPublished)), ...PUBLISHED, ...builders };
  writeFileSync(manifestFile(folder), JSON.stringify({ private: true, workspaces: packages, dependencies }));
  for (const path of packages) {
    const manifest = manifestOf(join(folder, path));
    const { devDependencies = {}, ...rest } = manifest;
    const used = { ...manifest.dependencies, ...(devDependencies[GENENV] && { [GENENV]: devDependencies[GENENV] }) };
    const own = Object.fromEntries(Object.entries(used).filter(isPublished));
    writeFileSync(manifestFile(join(folder, path)), JSON.stringify({ ...rest, dependencies: own }, null, 2));
  }
  for (;;) {
    const options = ['--no-audit', '--no-fund', '--legacy-peer-deps', '--ignore-scripts', '--loglevel', 'error'];
    const done = spawnSync('npm', ['install', ...options], { cwd: folder, encoding: 'utf8' });
    if (done.status === 0) return;
    const missing = missingIn(done.stderr);
    const declaring = packages.filter(path => missing && manifestOf(join(folder, path)).dependencies?.[missing]);
    if (declaring.length === 0) throw new Error(`npm install failed:\n${done.stderr}`);
    for (const path of declaring) {
      const manifest = manifestOf(join(folder, path));
      const { [missing!]: version, ...others } = manifest.dependencies!;
      onMissing({ path, name: missing!, version: version! });
      writeFileSync(manifestFile(join(folder, path)), JSON.stringify({ ...manifest, dependencies: others }, null, 2));
    }
  }
}

/** Returns the name of the package that npm did not find. */
const missingIn = (stderr: string): string | undefined =>
  /(?:No matching version found for |')((?:@[^/\s]+\/)?[^@\s']+)@/.exec(stderr)?.[1];

/** Links a package of the repository so that imports resolve it. */
async function makePackage(folder: string, name: string, source: string, options: BuildOptions): Promise<void> {
  const to = join(folder, 'node_modules', name);
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  const both: BuildOptions = {
    entryPoints: [join(folder, source, 'src/index.ts')],
    bundle: true,
    logLevel: 'error',
    ...options,
  };
  await build({ ...both, outfile: join(to, 'index.cjs'), platform: 'node', format: 'cjs' });
  // Plugins are also bundled for browsers.
  const { polyfillNode } = createRequire(manifestFile(folder))(POLYFILLS);
  const plugins = [polyfillNode()];
  await build({ ...both, outfile: join(to, 'index.mjs'), platform: 'browser', format: 'esm', plugins });
  const manifest = { name, version: '0.0.0', main: 'index.cjs', module: 'index.mjs' };
  writeFileSync(manifestFile(to), JSON.stringify(manifest));
}

/** Adds the function that the CLI and the SDK require and the published client lacks. */
const NEWER_CLIENT = `
const { isNetworkOrIdempotentRequestError } = module.exports.axiosRetry;
module.exports.http = { isNetworkOrIdempotentRequestError };
`;

/** Makes `@botpress/client/src` resolve, which the integration `resend` imports. */
function linkClientSource(folder: string): void {
  const source = join(folder, 'node_modules', CLIENT, 'src');
  mkdirSync(source, { recursive: true });
  writeFileSync(join(source, 'index.js'), "module.exports = require('..');\n");
}

async function generateChat(folder: string): Promise<void> {
  const generator = join(folder, CHAT, 'openapi.cjs');
  const external = [...Object.keys(CHAT_GENERATOR), '@bpinternal/opapi', 'lodash', 'zod'];
  const entryPoints = [join(folder, CHAT, 'openapi.ts')];
  await build({ entryPoints, outfile: generator, bundle: true, platform: 'node', external, logLevel: 'error' });
  execFileSync(process.execPath, [generator, './src/gen'], {
    cwd: join(folder, CHAT),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

const VARIABLE = /-e (\w+)/g;

/** Values that match the patterns in gmail's configuration schema. */
const PLACEHOLDERS: readonly [RegExp, string][] = [
  [/GMAIL_OAUTH_CLIENT_ID$/, 'placeholder.apps.googleusercontent.com'],
  [/PUBSUB_TOPIC_NAME$/, 'projects/placeholder/topics/placeholder'],
  [/SERVICE_ACCOUNT$/, 'placeholder@placeholder.iam.gserviceaccount.com'],
];
const placeholderFor = (variable: string) =>
  PLACEHOLDERS.find(([pattern]) => pattern.test(variable))?.[1] ?? 'placeholder';

/** Runs genenv as the bot's installation does. Its secrets get placeholders. */
function generateEnvironment(folder: string, path: string): void {
  const command = manifestOf(join(folder, path)).scripts?.postinstall;
  if (!command?.startsWith('genenv ')) return;
  const env = Object.fromEntries([...command.matchAll(VARIABLE)].map(([, name]) => [name!, placeholderFor(name!)]));
  const [, ...args] = command.split(' ');
  execFileSync(process.execPath, [join(folder, 'node_modules/.bin/genenv'), ...args], { cwd: join(folder, path), env });
}

const fail = ({ path, name, version }: MissingDependency) => {
  throw new Error(`${path} requires ${name}@${version}, which the npm registry does not have.`);
};

/**
 * @param folders of the packages to build, for example `integrations/slack`
 * @param onMissing continues without a dependency; throws by default
 * @returns the path of the CLI's entry file
 */
export async function buildFrom(
  repository: string,
  folder: string,
  folders: readonly string[],
  onMissing: (missing: MissingDependency) => void = fail,
): Promise<string> {
  checkOut(repository, folder, [...new Set([...SOURCES, 'interfaces', ...folders]), 'tsconfig.json']);
  install(folder, folders, onMissing);
  appendFileSync(join(folder, 'node_modules', CLIENT, 'dist/index.cjs'), NEWER_CLIENT);
  linkClientSource(folder);
  await makePackage(folder, '@bpinternal/zui', 'packages/zui', {});
  await makePackage(folder, '@botpress/sdk', 'packages/sdk', { packages: 'external' });
  await makePackage(folder, '@botpress/cognitive', 'packages/cognitive', { external: [CLIENT] });
  for (const name of LINKED) symlinkSync(`../../packages/${name}`, join(folder, 'node_modules/@botpress', name));
  if (folders.includes(CHAT)) await generateChat(folder);
  for (const path of folders) generateEnvironment(folder, path);
  const cli = join(folder, 'packages/cli');
  const files = readdirSync(join(cli, 'src'), { recursive: true, encoding: 'utf8' });
  await build({
    entryPoints: files.filter(file => /(?<!\.test)\.ts$/.test(file)).map(file => join(cli, 'src', file)),
    outdir: join(cli, 'dist'),
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
  });
  return join(cli, 'bin.js');
}

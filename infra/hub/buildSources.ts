/**
 * Builds the CLI and integrations of the public repository from source in a separate folder. esbuild builds only the
 * imported workspace packages, which saves 2 GB of dependencies.
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';

const CLIENT = '@botpress/client';
/** Packages without source in the repository: `client` is generated, and only an unused command needs `chat`. */
const PUBLISHED = { [CLIENT]: '1.45.0', '@botpress/chat': '0.5.5' };
const POLYFILLS = 'esbuild-plugin-polyfill-node';
const BUILDERS = { esbuild: '^0.25.10', [POLYFILLS]: '^0.3.0' };
const SOURCES = ['packages/cli', 'packages/sdk', 'packages/zui', 'packages/common', 'packages/sdk-addons'];

const text = (repository: string, ...args: string[]): string =>
  execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 });

/** Copies folders of the newest commit. A bare or partial clone suffices. */
export function checkOut(repository: string, folder: string, paths: readonly string[]): void {
  for (const path of text(repository, 'ls-tree', '-r', '--name-only', 'HEAD', ...paths)
    .trim()
    .split('\n')) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, execFileSync('git', ['-C', repository, 'show', `HEAD:${path}`], { maxBuffer: 64 * 1024 ** 2 }));
  }
}

interface Manifest {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}
export const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** Installs the published packages that these declare. */
function install(folder: string, packages: readonly string[]): void {
  const declared = packages.flatMap(path => {
    const { dependencies = {}, devDependencies = {} } = manifestOf(join(folder, path));
    // Installs zui's bundled dependencies; the others are tools.
    const bundled = Object.entries(devDependencies).filter(([name]) => name === 'lodash-es' || name === 'ms');
    return [...Object.entries(dependencies), ...(path === 'packages/zui' ? bundled : [])];
  });
  const dependencies = Object.fromEntries(
    declared.filter(([name, version]) => !name.startsWith('@botpress') && !version.startsWith('workspace:')),
  );
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, dependencies: { ...dependencies, ...PUBLISHED, ...BUILDERS } }),
  );
  const options = ['--no-audit', '--no-fund', '--legacy-peer-deps', '--loglevel', 'error'];
  execFileSync('npm', ['install', ...options], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}

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
  const { polyfillNode } = createRequire(join(folder, 'package.json'))(POLYFILLS);
  const plugins = [polyfillNode()];
  await build({ ...both, outfile: join(to, 'index.mjs'), platform: 'browser', format: 'esm', plugins });
  const manifest = { name, version: '0.0.0', main: 'index.cjs', module: 'index.mjs' };
  writeFileSync(join(to, 'package.json'), JSON.stringify(manifest));
}

/** Adds the function that the CLI and the SDK require and the published client lacks. */
const NEWER_CLIENT = `
const { isNetworkOrIdempotentRequestError } = module.exports.axiosRetry;
module.exports.http = { isNetworkOrIdempotentRequestError };
`;

/** @param folders of the integrations and plugins to build @returns the command line's file */
export async function buildFrom(repository: string, folder: string, folders: readonly string[]): Promise<string> {
  checkOut(repository, folder, [...SOURCES, 'interfaces', ...folders, 'tsconfig.json']);
  install(folder, [...SOURCES, ...folders]);
  appendFileSync(join(folder, 'node_modules', CLIENT, 'dist/index.cjs'), NEWER_CLIENT);
  await makePackage(folder, '@bpinternal/zui', 'packages/zui', {});
  await makePackage(folder, '@botpress/sdk', 'packages/sdk', { packages: 'external' });
  for (const name of ['common', 'sdk-addons']) {
    symlinkSync(`../../packages/${name}`, join(folder, 'node_modules/@botpress', name));
  }
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

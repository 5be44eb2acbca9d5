import { existsSync, globSync, statSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'vite';
import { LICENSES_FILE, licensesText } from './licensesText.ts';
import { buildWidget, WIDGET_FILE } from './widget.ts';

const ROOT = join(import.meta.dirname, '../..');
const SOURCES = join(ROOT, 'console');

const SOURCE_PATTERNS = [
  'console/{src,public}/**/*.*',
  'widget/**/*.*',
  'console/*.*',
  'package-lock.json',
  'infra/{console,licenses}/*.ts',
  'infra/vendored/files/*.*',
];

/** `index.html` is written last. */
export const CONSOLE_DIRECTORY = join(SOURCES, 'dist');

/** Returns true if the console was never built, or a source is newer. */
export function isConsoleStale(): boolean {
  const built = join(CONSOLE_DIRECTORY, 'index.html');
  if (!existsSync(built)) return true;
  const sources = globSync(SOURCE_PATTERNS, { cwd: ROOT });
  const builtMs = statSync(built).mtimeMs;
  return sources.some(file => statSync(join(ROOT, file)).mtimeMs > builtMs);
}

/** Replaces the built files by renaming directories, so that concurrent builds and page loads do not conflict. */
export async function buildConsole(): Promise<void> {
  const fresh = await mkdtemp(join(SOURCES, 'dist-'));
  const old = `${fresh}-old`;
  try {
    await buildFiles(fresh);
    await rename(CONSOLE_DIRECTORY, old).catch(() => undefined);
    await rename(fresh, CONSOLE_DIRECTORY);
  } finally {
    await Promise.all([fresh, old].map(folder => rm(folder, { recursive: true, force: true })));
  }
}

export async function buildFiles(folder: string): Promise<void> {
  const consoleFiles = await buildPages(folder);
  const widgetFiles = await buildWidget(join(folder, WIDGET_FILE));
  await writeFile(join(folder, LICENSES_FILE), licensesText({ consoleFiles, widgetFiles }));
}

/** @returns the bundled files, including style sheets, which may reference fonts in their package */
async function buildPages(outDir: string): Promise<string[]> {
  const files: string[] = [];
  const collect: Plugin = {
    name: 'collect-files',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) if (chunk.type === 'chunk') files.push(...chunk.moduleIds);
    },
  };
  await build({
    configFile: join(SOURCES, 'vite.config.ts'),
    build: { outDir },
    plugins: [collect],
    logLevel: 'error',
  });
  return files;
}

if (import.meta.main) await buildConsole();

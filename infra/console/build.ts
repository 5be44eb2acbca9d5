import { existsSync, globSync, statSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { buildWidget, WIDGET_FILE } from './widget.ts';

const ROOT = join(import.meta.dirname, '../..');
const SOURCES = join(ROOT, 'console');

/** `index.html` is written last. */
export const CONSOLE_DIRECTORY = join(SOURCES, 'dist');

/** Returns true if the console was never built, or a source is newer. */
export function isConsoleStale(): boolean {
  const built = join(CONSOLE_DIRECTORY, 'index.html');
  if (!existsSync(built)) return true;
  const sources = globSync(['console/{src,public}/**/*.*', 'widget/**/*.*', 'console/*.*', 'package-lock.json'], {
    cwd: ROOT,
  });
  const builtMs = statSync(built).mtimeMs;
  return sources.some(file => statSync(join(ROOT, file)).mtimeMs > builtMs);
}

/** Replaces the built files by renaming directories, so that concurrent builds and page loads do not conflict. */
export async function buildConsole(): Promise<void> {
  const fresh = await mkdtemp(join(SOURCES, 'dist-'));
  const old = `${fresh}-old`;
  try {
    await build({ configFile: join(SOURCES, 'vite.config.ts'), build: { outDir: fresh }, logLevel: 'error' });
    await buildWidget(join(fresh, WIDGET_FILE));
    await rename(CONSOLE_DIRECTORY, old).catch(() => undefined);
    await rename(fresh, CONSOLE_DIRECTORY);
  } finally {
    await Promise.all([fresh, old].map(folder => rm(folder, { recursive: true, force: true })));
  }
}

if (import.meta.main) await buildConsole();

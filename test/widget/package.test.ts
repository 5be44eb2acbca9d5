/** Tests the npm package of the widget as an installed dependency of a project. */
import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installPackedWidget, type PackedWidget } from '#test/support/packedWidget.ts';
import { Chat } from '#widget/chat.tsx';
import type * as types from '#widget/package/index.d.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');

let packed: PackedWidget;

beforeAll(async () => {
  packed = await installPackedWidget();
}, 60_000);
afterAll(() => rm(dirname(packed.project), { recursive: true }));

/** Returns the compiler's errors. */
async function compile(...args: string[]): Promise<string> {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const shared = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom', '--types', ''];
  const { stdout } = await run(process.execPath, [tsc, '--ignoreConfig', ...shared, ...args], {
    cwd: packed.project,
  }).catch(({ stdout, stderr }) => ({ stdout: String(stdout || stderr) }));
  return stdout;
}

describe('the package parley-widget', () => {
  it('contains only the loader, its types and texts, and no dependencies', async () => {
    const { version, dependencies } = JSON.parse(await readFile(join(ROOT, 'widget/package/package.json'), 'utf8'));
    const root = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));

    expect(packed.files.toSorted()).toEqual(['LICENSE', 'README.md', 'index.d.ts', 'index.js', 'package.json']);
    expect({ version, dependencies }).toEqual({ version: root.version, dependencies: undefined });
  });

  it.each([['bundler'], ['nodenext']])(
    'type-checks a sample with the module resolution %s',
    async resolution => {
      const module = resolution === 'nodenext' ? 'nodenext' : 'esnext';

      expect(await compile('--module', module, '--moduleResolution', resolution, 'sample.ts')).toBe('');
    },
    60_000,
  );

  it('has a loader of the declared type', async () => {
    const loader = join(ROOT, 'widget/package/index.js');

    expect(await compile('--allowJs', '--checkJs', '--module', 'nodenext', loader)).toBe('');
  }, 60_000);

  it('rejects outside of browsers', async () => {
    const script = "import('parley-widget').then(({ loadChat }) => loadChat({ scriptUrl: 'x', chatUrl: 'x' }))";

    const failed = run(process.execPath, ['-e', script], { cwd: packed.project });

    await expect(failed).rejects.toThrow('loadChat requires a browser.');
  });

  it('declares exactly the methods of the chat', () => {
    // The compiler checks that the class implements the declared ones. No other public one may exist.
    const declared: Record<Exclude<keyof Chat, keyof types.Chat>, never> = {};

    expect(declared).toEqual({});
    expect(Object.getOwnPropertyNames(Chat.prototype)).toContain('setUser');
  });
});

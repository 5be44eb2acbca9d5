/** Biome wraps code, but neither comments nor Markdown. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const COLUMNS = 120;

/** Returns the long lines of files as `file:line`, without those that cannot be broken. */
function longLines(pattern: string, isBreakable: (line: string) => boolean): string[] {
  const files = globSync(pattern, { cwd: ROOT, exclude: ['**/node_modules', '**/dist', '.venv', 'test/bench/corpus'] });
  expect(files.length).toBeGreaterThan(10);
  return files.flatMap(file =>
    withoutFences(readFileSync(join(ROOT, file), 'utf8')).flatMap((line, index) =>
      [...line].length > COLUMNS && isBreakable(line) ? [`${file}:${index + 1}`] : [],
    ),
  );
}

const withoutFences = (text: string) =>
  text.replace(/^ *```[\s\S]*?^ *```/gm, block => block.replace(/.+/g, '')).split('\n');

it('limits lines of comments to 120 columns', () => {
  const isComment = (line: string) => /^\s*(?:\/\*|\*|\/\/)/.test(line);

  expect(longLines('{console,functions,infra,shared,test,widget}/**/*.{ts,tsx,js}', isComment)).toEqual([]);
});

it('limits lines of Markdown to 120 columns, outside of tables and code blocks', () => {
  expect(longLines('{*.md,docs/**/*.md}', line => !line.startsWith('|'))).toEqual([]);
});

/** The README and the other documents: what they cite exists, and the code cites sections that exist. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** The changelog is left out: it names what is no longer there. */
const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...globSync('docs/*.md', { cwd: ROOT })];
const SOURCES = globSync('{functions,shared,infra,test}/**/*.ts', { cwd: ROOT });
/** Compared with the declarations by `docs.test.ts`. */
const isGenerated = (path: string) => /^docs\/(?:permissions\.md|reference(?:\/|$))/.test(path);

const WRITTEN = DOCUMENTS.filter(path => !isGenerated(path));

const withoutCode = (text: string) => text.replace(/^```[\s\S]*?^```/gm, '');

/** As GitHub makes them of headings; and the explicit ones, where a heading reads better than its anchor. */
function anchorsOf(path: string): Set<string> {
  const text = withoutCode(read(path));
  const explicit = [...text.matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id]) => id!);
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
  return new Set([...explicit, ...headings]);
}

/** Undefined if a link leads somewhere; else the link. */
function brokenLink(from: string, link: string): string | undefined {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? from : relative(ROOT, join(ROOT, dirname(from), file));
  if (isGenerated(target)) return undefined;
  const isThere = existsSync(join(ROOT, target)) && (anchor === undefined || anchorsOf(target).has(anchor));
  return isThere ? undefined : `${from}: ${link}`;
}

it('keeps the README within 150 lines', () => {
  expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
});

it.each(WRITTEN)('%s names only scripts of package.json', path => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = [...read(path).matchAll(/(?:^|`)npm (?:run )?([a-z]+(?::[a-z]+)?)/gm)].map(([, name]) => name!);

  expect(named.filter(name => !(name in scripts) && name !== 'ci')).toEqual([]);
});

it.each([...WRITTEN, 'CHANGELOG.md'])('%s links to files and sections that exist', path => {
  const links = [...withoutCode(read(path)).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link]) => link!);

  expect(links.flatMap(link => brokenLink(path, link) ?? [])).toEqual([]);
});

it.each(WRITTEN)('%s names files and folders that exist', path => {
  const named = [...read(path).matchAll(/`((?:functions|shared|infra|test|docs)\/[\w./-]*)(?=[`#])/g)].map(
    ([, name]) => name!,
  );

  expect(named.filter(name => !existsSync(join(ROOT, name)))).toEqual([]);
});

it.each(WRITTEN)('%s has tables with short cells', path => {
  const cells = read(path)
    .split('\n')
    .filter(line => line.startsWith('|') && !/^\|[ :|-]+\|$/.test(line))
    .flatMap(line => line.split(/(?<!\\)\|/).map(cell => cell.trim()));

  expect(cells.filter(cell => cell.length > 120)).toEqual([]);
});

it('the code cites sections of the documents that exist', () => {
  const cited = SOURCES.flatMap(source =>
    [...read(source).matchAll(/\b(docs\/[\w-]+\.md)#([\w-]+)/g)].map(([, path, anchor]) => ({
      source,
      path: path!,
      anchor: anchor!,
    })),
  );

  expect(
    cited
      .filter(({ path, anchor }) => !existsSync(join(ROOT, path)) || !anchorsOf(path).has(anchor))
      .map(({ source, path, anchor }) => `${source}: ${path}#${anchor}`),
  ).toEqual([]);
});

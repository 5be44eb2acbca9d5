/** Tests that the documentation matches the code: generated pages are current, and links, anchors and scripts exist. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diagrams } from '#infra/docs/diagrams.ts';
import { generatedPages } from '#infra/docs/generatedPages.ts';
import { apis } from '#infra/gateway/apis.ts';
import { parseLoad } from '#infra/operator/cost/costLoad.ts';
import { estimate, totalOf } from '#infra/operator/cost/estimate.ts';
import { pricesOf } from '#infra/operator/cost/prices.ts';
import { CALLER_CACHE_MS } from '#shared/storage/dynamodb/callers/callerRecords.ts';

const NPM_COMMANDS = ['ci', 'init', 'install', 'pack', 'publish'];
const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Returns the text of a page with its lines joined. */
const sentences = (path: string) => read(path).replace(/\s+/g, ' ');

/** Lists tracked and new files, without ignored ones. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter(path => path && existsSync(join(ROOT, path)));
const pages = files.filter(path => path.endsWith('.md') && !path.startsWith('test/bench/corpus/'));
const sources = files.filter(path => /\.(ts|cjs|json|yml)$/.test(path));

const withoutCode = (markdown: string) =>
  markdown.replace(/^ *(`{3,}|~{3,}).*\n[\s\S]*?^ *\1.*$/gm, '').replace(/`[^`\n]*`/g, '');

/** Returns GitHub's anchor of a heading. */
const slug = (heading: string) =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');

/** Returns the anchors of a page: explicit ones, and those of its headings, numbered where they repeat. */
function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set([...markdown.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, id]) => id!));
  const seen = new Map<string, number>();
  const headings = markdown.replace(/^ *(`{3,}|~{3,}).*\n[\s\S]*?^ *\1.*$/gm, '').matchAll(/^#{1,6} +(.+?) *#*$/gm);
  for (const [, heading] of headings) {
    const anchor = slug(heading!);
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    anchors.add(count === 0 ? anchor : `${anchor}-${count}`);
  }
  return anchors;
}

/** Returns the problem of a broken link, if any. */
function faultOf(from: string, target: string): string | undefined {
  const [path, anchor] = target.split('#') as [string, string?];
  const to = path === '' ? from : posix.normalize(posix.join(dirname(from), decodeURIComponent(path)));
  if (!existsSync(join(ROOT, to))) return `${from}: ${target} does not exist`;
  if (anchor && to.endsWith('.md') && !anchorsOf(read(to)).has(anchor)) return `${from}: ${target} has no such anchor`;
  return undefined;
}

describe('a generated page', async () => {
  it.each([...generatedPages(), ...(await diagrams())])('is current: %s (npm run docs)', (path, text) => {
    expect(existsSync(join(ROOT, path)), `${path} is missing: npm run docs`).toBe(true);
    expect(read(path)).toBe(text);
  });

  it('has only short table rows', () => {
    const rows = [...generatedPages().values()].flatMap(text => text.split('\n').filter(line => line.startsWith('|')));

    expect(rows.filter(row => row.length > 400)).toEqual([]);
  });
});

describe('the documentation', () => {
  it.each(pages)('links only to pages and anchors that exist: %s', path => {
    const links = [
      ...withoutCode(read(path)).matchAll(/\]\(([^)\s]+)(?: "[^"]*")?\)|(?:href|src)="([^"]+)"|^\[[^\]]+\]: (\S+)$/gm),
    ]
      .map(([, inline, attribute, defined]) => (inline ?? attribute ?? defined)!)
      .filter(target => !/^[a-z]+:/i.test(target));

    expect(links.flatMap(target => faultOf(path, target) ?? [])).toEqual([]);
  });

  it('has every anchor that the source code cites', () => {
    const faults = sources.flatMap(path =>
      [...read(path).matchAll(/\bdocs\/[\w/-]+\.md#[\w-]+/g)].flatMap(([cited]) =>
        faultOf('README.md', cited) ? `${path}: ${cited}` : [],
      ),
    );

    expect([...new Set(faults)]).toEqual([]);
  });

  it('keeps the README within 150 lines', () => {
    expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  });

  it('finds the anchors that GitHub derives from headings', () => {
    const page =
      '# A `code`, and [a link](x.md)!\n\n## Twice\n\n```\n# no heading\n```\n\n## Twice\n\n<a id="own"></a>\n';

    expect([...anchorsOf(page)]).toEqual(['own', 'a-code-and-a-link', 'twice', 'twice-1']);
  });
});

/** Returns the estimated price of a month in whole US dollars; with alarms, unless the installation is idle. */
function monthlyPrice(load: Record<string, string>): string {
  const hasAlarms = Object.keys(load).length > 0;
  const lines = estimate(parseLoad(load, { hasAlarms }), pricesOf('us-east-1'));
  return String(Math.round(totalOf(lines)));
}

describe('the text of the documentation', () => {
  it('states the delay of a revocation once, as the time for which callers are cached', () => {
    const seconds = CALLER_CACHE_MS / 1000;

    expect(sentences('docs/api/admin.md')).toContain(
      `A token, session, key or role that was revoked stops working within ${seconds} seconds`,
    );
    const others = pages
      .filter(page => !['docs/api/admin.md', 'CHANGELOG.md'].includes(page))
      .flatMap(
        page => read(page).match(/[^.\n]*revo(?:ked|cation)[^.\n]*\b(?:second|minute|\d+ s\b|at once)[^.\n]*/gi) ?? [],
      );
    expect(others).toEqual([]);
  });

  it('states the number of operations in the code', () => {
    const stated = [
      ...read('docs/compatibility.md').matchAll(
        /^\| [\w -]+ \| `[^`]+` +\| (\d+)[^|]*\|[^|]*\| \[functions\/(\w+)\]/gm,
      ),
    ];
    const counts = Object.fromEntries(stated.map(([, count, group]) => [group, Number(count)]));
    const published = apis.flatMap(({ operations }) => operations);

    // The table lists public content separately from the other 15 file operations.
    expect({ ...counts, files: counts.files! + 1 }).toEqual(
      Object.fromEntries(
        Object.entries(Object.groupBy(published, each => each.group)).map(([group, all]) => [group, all!.length]),
      ),
    );
  });

  it.each([
    ['100,000 messages', { messages: '100000', listeners: '5' }, /cost about \*\*\$(\d+)\*\*/],
    ['these without open chats', { messages: '100000' }, /about \$(\d+) for the messages/],
    ['an idle installation', {}, /idle installation costs about \$(\d+)/],
  ])('states the estimated price of %s', (_, load, stated) => {
    expect(sentences('docs/decide.md').match(stated)?.[1]).toBe(monthlyPrice(load));
  });

  it.each([
    ['idle', {}, /Price, idle +\| about \$(\d+) a month/],
    ['with a million messages', { messages: '1000000', listeners: '100' }, /1M messages +\| about \$(\d+) a month/],
    ['with open chats', { messages: '100000', listeners: '5' }, /100,000 messages a month cost about \$(\d+)/],
  ])('states the estimated price %s in the README', (_, load, stated) => {
    expect(sentences('README.md').match(stated)?.[1]).toBe(monthlyPrice(load));
  });

  it('calls Botpress Cloud by its name', () => {
    const faults = pages
      .filter(page => page !== 'CHANGELOG.md')
      .flatMap(
        page =>
          read(page).match(
            /.*\b(?:hosted (?:service|product)|[Tt]he reference (?:has|also|only|is|does|knows|shows|accepts|takes)\b).*/g,
          ) ?? [],
      );

    expect(faults.filter(line => !line.includes('Botpress Cloud'))).toEqual([]);
  });

  it('mentions deployed code where a bot or integration has no url', () => {
    const described = pages
      .filter(page => page.startsWith('docs/api/'))
      .flatMap(page => sentences(page).match(/[^.]*\bwith(?:out)? a `url`[^.]*/gi) ?? []);

    expect(described.length).toBeGreaterThan(0);
    expect(described.filter(sentence => !sentence.includes('deployed code'))).toEqual([]);
  });
});

describe('a written page', () => {
  const generated = generatedPages();
  const isGenerated = (path: string) => generated.get(path)?.startsWith('<!-- Generated') ?? false;
  // The changelog also names removed files.
  const written = pages.filter(path => !isGenerated(path) && path !== 'CHANGELOG.md');

  it.each(written)('names only scripts that exist: %s', path => {
    const { scripts } = JSON.parse(read('package.json'));
    const named = [...read(path).matchAll(/(?:^|`)npm (?:run )?(?:--prefix \S+ )?([a-z]+(?::[a-z-]+)?)/gm)].map(
      ([, name]) => name!,
    );

    expect(named.filter(name => !(name in scripts) && !NPM_COMMANDS.includes(name))).toEqual([]);
  });

  it.each(written)('names only files and folders that exist: %s', path => {
    const named = [...read(path).matchAll(/`((?:functions|shared|infra|test|docs)\/[\w./-]*)(?=[`#])/g)];

    expect(named.map(([, name]) => name!).filter(name => !existsSync(join(ROOT, name)))).toEqual([]);
  });

  it.each(written)('has tables with short cells: %s', path => {
    const cells = read(path)
      .split('\n')
      .filter(line => line.startsWith('|') && !/^\|[ :|-]+\|$/.test(line))
      .flatMap(line => line.split(/(?<!\\)\|/).map(cell => cell.trim()));

    expect(cells.filter(cell => cell.length > 120)).toEqual([]);
  });
});

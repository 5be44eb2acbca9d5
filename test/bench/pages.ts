/** Section `pages`: the console's and the widget's downloads and time to first paint. */
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { buildConsole, CONSOLE_DIRECTORY, isConsoleStale } from '#infra/console/buildConsole.ts';
import { CONSOLE_HEADERS, consolePolicy } from '#infra/console/policy.ts';
import { WIDGET_BUDGET_BYTES, WIDGET_FILE } from '#infra/console/widget.ts';
import { type Pages, servePages } from '#infra/local/services/gateway/servePages.ts';
import { launch } from '#test/e2e/browser.ts';
import { type Section, verdict } from './report.ts';
import { median } from './statistics.ts';

const RUNS = 11;
/** The downloads before signing in. */
const FIRST_PAGE_BUDGET_BYTES = 200_000;
/** Chunks of the first page of an agent. */
const INBOX_CHUNKS = ['Frame', 'Inbox', 'InboxConversation', 'Notifications'];

export async function measure(): Promise<Section> {
  if (isConsoleStale()) await buildConsole();
  const initial = initialFiles();
  const all = filesOf('assets').map(name => join('assets', name));
  const first = await firstPaints();
  const widgetKb = compressedKb([WIDGET_FILE]);
  const initialKb = compressedKb(initial);
  const row = (name: string, files: string[], paint: string, budget: string[]) => [
    name,
    ...['.js', '.css'].map(kind => kb(compressedKb(files.filter(file => extname(file) === kind)))),
    paint,
    ...budget,
  ];
  return {
    title: 'Pages',
    measures: `Scripts and styles, compressed by gzip, in KB of 1,000 bytes; the first paint with content, in milliseconds, as median and slowest of ${RUNS} visits with an empty cache.`,
    columns: ['page', 'JS, KB', 'CSS, KB', 'first paint, ms', 'budget, KB', ''],
    rows: [
      row('console, sign-in page', initial, first.console, [
        `< ${FIRST_PAGE_BUDGET_BYTES / 1000}`,
        verdict(initialKb * 1000 < FIRST_PAGE_BUDGET_BYTES),
      ]),
      row('console, inbox', withImports(initial, INBOX_CHUNKS), '', ['', '']),
      row('console, all of it', all, '', ['', '']),
      row('widget on an empty page', [WIDGET_FILE], first.widget, [
        `< ${WIDGET_BUDGET_BYTES / 1000}`,
        verdict(widgetKb * 1000 < WIDGET_BUDGET_BYTES),
      ]),
    ],
    notes: [
      'Chromium without a window, over loopback, where files come uncompressed. The widget brings its styles in its script.',
    ],
  };
}

const kb = (size: number) => (size === 0 ? '' : size.toFixed(1));
const filesOf = (folder: string) => readdirSync(join(CONSOLE_DIRECTORY, folder));
const compressedKb = (files: string[]) =>
  files.reduce((sum, file) => sum + gzipSync(readFileSync(join(CONSOLE_DIRECTORY, file))).length, 0) / 1000;

/** Returns the files of the initial page load: its script, static imports and styles. */
const initialFiles = () =>
  [...readFileSync(join(CONSOLE_DIRECTORY, 'index.html'), 'utf8').matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(
    ([, file]) => file!,
  );

/** Adds chunks by name, with the scripts that they import statically and their styles. */
function withImports(files: string[], names: string[]): string[] {
  const all = filesOf('assets');
  const found = new Set(files);
  const add = (file: string): void => {
    const path = join('assets', file);
    if (found.has(path)) return;
    found.add(path);
    const chunk = file.replace(/-[\w-]{8}\.js$/, '');
    all.filter(each => extname(each) === '.css' && each.startsWith(`${chunk}-`)).forEach(add);
    if (extname(file) !== '.js') return;
    const source = readFileSync(join(CONSOLE_DIRECTORY, path), 'utf8');
    for (const [, imported] of source.matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)) add(imported!);
  };
  for (const name of names) {
    all.filter(file => extname(file) === '.js' && file.replace(/-[\w-]{8}\.js$/, '') === name).forEach(add);
  }
  return [...found];
}

/** A second server is another origin, like that of a page that embeds the widget. */
async function firstPaints(): Promise<{ console: string; widget: string }> {
  const origins: string[] = [];
  const pages: Pages = {
    basePath: '/console',
    directory: async () => CONSOLE_DIRECTORY,
    headers: () => ({ ...CONSOLE_HEADERS, 'content-security-policy': consolePolicy({ called: [], shown: [] }) }),
    made: { 'config.json': () => JSON.stringify({ apiUrl: origins[0], chatUrl: origins[0], contentOrigins: [] }) },
  };
  const platform = createServer(async (request, response) => {
    if (!(await servePages(pages, request, response))) response.writeHead(404).end();
  });
  const shop = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(
      `<!doctype html><title>Shop</title><script src="${origins[0]}/console/${WIDGET_FILE}" data-chat-url="${origins[0]}/chat" async></script>`,
    );
  });
  const servers = [platform, shop];
  for (const server of servers) {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    origins.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }
  const browser = await launch();
  try {
    return {
      console: await medianPaint(browser, `${origins[0]}/console/`),
      widget: await medianPaint(browser, `${origins[1]}/`),
    };
  } finally {
    await browser.close();
    for (const server of servers) server.close();
  }
}

async function medianPaint(browser: Browser, url: string): Promise<string> {
  const paints: number[] = [];
  for (let run = 0; run <= RUNS; run++) {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(url);
    const paint = await page.waitForFunction(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    );
    // The first visit also starts processes of the browser.
    if (run > 0) paints.push((await paint.jsonValue()) as number);
    await context.close();
  }
  return `${median(paints).toFixed(0)} · ${Math.max(...paints).toFixed(0)}`;
}

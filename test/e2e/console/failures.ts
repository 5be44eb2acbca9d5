/**
 * Every page, while every call of the API fails: sends a bounded number of requests, shows the error with its id and
 * "Try again", and recovers. The test moves the page's clock, so ten seconds pass without waiting. A run of all
 * scenarios tests three errors, a run of this scenario all of them.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page, Route } from 'playwright-core';
import { pagesOf } from './accessibility.ts';
import { done, local, newContext, signedIn } from './stage.ts';

const ROUTER = join(import.meta.dirname, '../../../console/src/shell/router.tsx');

const ERRORS: Record<string, [status: number, type: string]> = {
  '401': [401, 'Unauthorized'],
  '403': [403, 'Forbidden'],
  '404': [404, 'ResourceNotFound'],
  '409': [409, 'ReferenceConstraint'],
  '413': [413, 'LimitExceeded'],
  '429': [429, 'RateLimited'],
  '500': [500, 'Internal'],
  '502': [502, 'Internal'],
  '503': [503, 'Internal'],
  network: [0, ''],
};

/** The first attempt, two retries with growing pauses, and one for a poll or a notice of a lost connection. */
const MOST_REQUESTS = 4;
const SPAN_MS = 10_000;
const STEP_MS = 2_000;
const ERROR_ID = 'err_00000000';

/** Returns the paths that the router declares, with their parameters. */
function declaredPaths(): string[] {
  const source = readFileSync(ROUTER, 'utf8');
  const paths = [...source.matchAll(/\bpage\(\s*'([^']+)'/g)].map(([, path]) => path!);
  const parents = new Map(
    [
      ...source.matchAll(
        /const (\w+) = (?:page\(\s*|createRoute\(\{\s*getParentRoute: \(\) => root,\s*path: )'([^']+)'/g,
      ),
    ].map(([, name, path]) => [name!, path!]),
  );
  paths.push(parents.get('inbox')!);
  for (const [, parent, path] of source.matchAll(/getParentRoute: \(\) => (\w+),\s*path: '(\$[^']+)'/g))
    paths.push(`${parents.get(parent!)}/${path}`);
  return paths;
}

const formOf = (path: string) =>
  path
    .replace(/\?.*/, '')
    .replace(/(?<=^\/bots\/)[^/]+/, '$botId')
    .replace(/(?<=^\/inbox\/)[^/]+/, '$botId')
    .replace(/(?<=\/conversations\/|^\/inbox\/[^/]+\/)[^/]+/, '$conversationId')
    .replace(/(?<=\/tables\/)[^/]+/, '$table');

/** Fails every call of the API on demand, and counts the calls. */
class Api {
  error: [status: number, type: string] | undefined;
  /** A path whose calls succeed. */
  exempt: string | undefined;
  readonly counts = new Map<string, number>();
  pending = 0;

  async handle(route: Route): Promise<void> {
    const request = route.request();
    const { pathname, search } = new URL(request.url());
    const name = `${request.method()} ${pathname}${search} ${(await request.headerValue('x-bot-id')) ?? ''}`;
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    this.pending++;
    try {
      if (!this.error || pathname === this.exempt) return await route.continue();
      const [code, type] = this.error;
      if (code === 0) return await route.abort('connectionfailed');
      await route.fulfill({
        status: code,
        contentType: 'application/json',
        headers: { 'access-control-allow-origin': '*' },
        body: JSON.stringify({ code, id: ERROR_ID, type, message: 'This call fails.' }),
      });
    } finally {
      this.pending--;
    }
  }
}

/** Lets time pass in the page, and its requests end. */
async function pass(page: Page, api: Api, spanMs = SPAN_MS): Promise<void> {
  for (let passedMs = 0; passedMs < spanMs; passedMs += STEP_MS) {
    await page.clock.runFor(STEP_MS);
    do await page.evaluate('0');
    while (api.pending > 0);
  }
}

/** The caller's own membership, which the frame of all pages reads. */
const FRAME = '/v1/admin/workspace-members/me';
/** Errors under which the frame is tested as well: it shows the same on every page. One is final, two are retried. */
const FRAME_ERRORS = ['403', '500', 'network'];
const PAGES_AT_ONCE = 3;

export async function testFailures(browser: Browser, botId: string): Promise<void> {
  const paths = (await pagesOf(botId)).map(([path]) => path);
  assert.deepEqual(paths.map(formOf).sort(), declaredPaths().sort());
  const isNamed = process.argv.includes('failures');
  const names = isNamed ? Object.keys(ERRORS) : FRAME_ERRORS;
  const trials = names.flatMap(name => paths.map(path => ({ name, path })));
  const workers = Array.from({ length: PAGES_AT_ONCE }, async () => {
    const context = await newContext(browser);
    const page = await signedIn(context);
    const api = new Api();
    await page.routeWebSocket(/./, socket => void (api.error ? socket.close() : socket.connectToServer()));
    await page.route(`${local.apiUrl}/v1/**`, route => api.handle(route));
    await page.clock.install();
    for (let trial = trials.pop(); trial; trial = trials.pop()) await fail(page, api, trial);
    await context.close();
  });
  await Promise.all(workers);
  done(`bounds the requests of ${paths.length} pages under ${names.length} errors, and recovers`);
}

/**
 * Opens a page as after a reload, without its cost: as if another tab had signed out and in again, which discards
 * everything that this tab had read.
 */
const startAt = (path: string) => `{
  const signed = { local: { ...localStorage }, session: { ...sessionStorage } };
  const changed = { storageArea: localStorage, key: 'parley-console-session' };
  localStorage.clear();
  dispatchEvent(new StorageEvent('storage', changed));
  location.hash = ${JSON.stringify(path)};
  Object.assign(localStorage, signed.local);
  Object.assign(sessionStorage, signed.session);
  dispatchEvent(new StorageEvent('storage', changed));
}`;

async function fail(page: Page, api: Api, { name, path }: { name: string; path: string }): Promise<void> {
  const error = ERRORS[name]!;
  const frames = name === '401' ? [false] : FRAME_ERRORS.includes(name) ? [false, true] : [true];
  for (const isFrameRead of frames) {
    const what = `${name} on ${path}, ${isFrameRead ? 'in the page' : 'also in the frame'}`;
    api.counts.clear();
    api.error = error;
    api.exempt = isFrameRead ? FRAME : undefined;
    const first = page.waitForRequest(`${local.apiUrl}/v1/**`);
    await page.evaluate(startAt(path));
    await first;
    await pass(page, api);
    for (const [call, count] of api.counts) assert.ok(count <= MOST_REQUESTS, `${what}: ${count} × ${call}`);
    if (name === '401') await signInAgain(page, api);
    else await tryAgain(page, api, what);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
  }
}

async function tryAgain(page: Page, api: Api, what: string): Promise<void> {
  try {
    const alert = page.getByRole('alert').first();
    await alert.waitFor();
    if (api.error![0] !== 0) await alert.getByText(ERROR_ID).waitFor();
    const bars = page.getByRole('status', { name: 'Loading' });
    // Parts that wait for a live connection begin later.
    if ((await bars.count()) > 0) await pass(page, api);
    assert.equal(await bars.count(), 0, what);
    const again = await alert.getByRole('button', { name: 'Try again' }).elementHandle();
    api.error = undefined;
    // A request that was about to start may recover the page first, and remove the button.
    await again!.dispatchEvent('click');
    await page.getByRole('alert').first().waitFor({ state: 'detached' });
  } catch (cause) {
    throw new Error(what, { cause });
  }
}

async function signInAgain(page: Page, api: Api): Promise<void> {
  await page.getByText('Your session has ended.').waitFor();
  // A section of the account page has the same label.
  const field = page.getByPlaceholder('bp_pat_');
  await field.fill(local.tokens.owner);
  api.error = undefined;
  await page.getByRole('button', { name: 'Sign in' }).click();
  await field.waitFor({ state: 'detached' });
}

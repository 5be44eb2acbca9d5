/** Browser contexts, clients and helpers of all scenarios. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@botpress/client';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { LocalFile } from '#infra/local/demo.ts';
import { stateDirectory } from '#infra/settings/stateDirectory.ts';

export const local: LocalFile = JSON.parse(readFileSync(join(stateDirectory, 'local.json'), 'utf8'));
export const CONSOLE = `${local.apiUrl}/console/`;
export const say = (text: string) => process.stdout.write(`${text}\n`);

/** Events that fail every scenario: thrown errors, blocked scripts and styles, external requests, dialogs. */
const faults: string[] = [];

const CONSOLE_COMMAND = join(import.meta.dirname, '../../../infra/operator/console.ts');

const DESK = { width: 1280, height: 900 };
export const PHONE = { width: 390, height: 844 };
const TIMEOUT_MS = 30_000;

export async function newContext(browser: Browser, viewport = DESK, locale = 'en-US'): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport, locale, permissions: ['clipboard-read', 'clipboard-write'] });
  context.setDefaultTimeout(TIMEOUT_MS);
  context.on('page', watch);
  return context;
}

function watch(page: Page): void {
  page.on('pageerror', error => faults.push(`${error.stack}`));
  page.on('console', message => {
    if (/content security policy/i.test(message.text())) faults.push(message.text());
  });
  page.on('dialog', dialog => {
    faults.push(`A dialog opened: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', request => {
    const { hostname, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && hostname !== '127.0.0.1') faults.push(`A call to ${request.url()}`);
  });
}

/** Signs in through the form, unless another tab of the context is signed in. */
async function signIn(page: Page, token: string, heading: string): Promise<void> {
  await page.goto(CONSOLE);
  const field = page.getByLabel('Personal access token');
  const signedInPage = page.getByRole('heading', { name: heading, level: 1 });
  await field.or(signedInPage).waitFor();
  if (await field.isVisible()) {
    await field.fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }
  await signedInPage.waitFor();
}

/** Returns a sign-in link of the operator. */
export const newLink = () =>
  execFileSync(process.execPath, [CONSOLE_COMMAND, '--local'], { encoding: 'utf8' }).split('\n')[0]!;

interface StoredSession {
  id: string;
  token: string;
}

/** Returns the session that the tabs of the browser share. */
export const storedSession = (page: Page): Promise<StoredSession | null> =>
  page.evaluate<StoredSession | null>('JSON.parse(localStorage.getItem("parley-console-session"))');

export async function signedIn(context: BrowserContext, token = local.tokens.owner, heading = 'Bots'): Promise<Page> {
  const page = await context.newPage();
  await signIn(page, token, heading);
  return page;
}

/** Opens a page of the console. */
export async function open(page: Page, path: string, heading: string | RegExp): Promise<void> {
  await page.goto(`${CONSOLE}#${path}`);
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
}

export const adminClient = () =>
  new Client({ apiUrl: local.apiUrl, token: local.tokens.owner, workspaceId: local.workspaceId });
export const botClient = (botId: string) =>
  new Client({ apiUrl: local.apiUrl, token: local.tokens.owner, workspaceId: local.workspaceId, botId });

/** Sends one request to the platform API, for operations that the official client does not have. */
export async function call(
  method: string,
  path: string,
  body?: object,
  options: { botId?: string; token?: string } = {},
) {
  const response = await fetch(`${local.apiUrl}/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${options.token ?? local.tokens.owner}`,
      'x-workspace-id': local.workspaceId,
      'content-type': 'application/json',
      ...(options.botId ? { 'x-bot-id': options.botId } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests read a few fields of many responses
  const answer: any = await response.json();
  assert.ok(response.ok, `${method} ${path}: ${JSON.stringify(answer)}`);
  return answer;
}

/** Reports a passed step. Fails if a fault was recorded. */
export function done(what: string): void {
  assert.deepEqual(faults, []);
  say(`ok   ${what}`);
}

/** Polls the API until `read` returns a value. */
export async function until<Value>(
  read: () => Promise<Value | undefined | false>,
  timeoutMs = TIMEOUT_MS,
): Promise<Value> {
  const deadlineMs = Date.now() + timeoutMs;
  for (;;) {
    const value = await read();
    if (value) return value;
    assert.ok(Date.now() < deadlineMs, 'Timed out.');
    await new Promise(resolve => setTimeout(resolve, 200));
  }
}

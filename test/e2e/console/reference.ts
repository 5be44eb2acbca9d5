/** Finds and tries an operation on the pages of the reference. */
import assert from 'node:assert/strict';
import { Client } from '@botpress/chat';
import type { Browser, Locator, Page } from 'playwright-core';
import { violationsIn } from './accessibility.ts';
import { adminClient, done, local, newContext, until } from './stage.ts';

/** Searches for an operation and opens its client. */
async function tryOut(page: Page, base: string, words: string, request: string): Promise<Locator> {
  await page.goto(`${base}/docs`);
  await page.getByRole('button', { name: 'Open Search' }).click();
  await page.keyboard.type(words, { delay: 30 });
  await page.getByRole('dialog').getByRole('option').first().click();
  await page.getByRole('button', { name: `Test Request (${request})`, exact: true }).click();
  return page.getByRole('dialog');
}

/** Violations in the library's own fields and lists, which its settings do not reach. */
const LIBRARY_VIOLATIONS = new Set([
  'aria-input-field-name',
  'aria-required-attr',
  'label-content-name-mismatch',
  'scrollable-region-focusable',
]);

interface Answer {
  url: string;
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the answer of any operation
  body: any;
}

/** Sends the request and waits until the page shows the response. */
async function send(page: Page, client: Locator): Promise<Answer> {
  const answered = page.waitForResponse(response => response.request().resourceType() === 'fetch');
  await client.getByRole('button', { name: /^Send/ }).first().click();
  const response = await answered;
  await client.getByText(`${response.status()} ${response.statusText()}`).first().waitFor();
  return { url: response.url(), status: response.status(), body: await response.json() };
}

async function tryChat(page: Page): Promise<void> {
  const { user, key } = await new Client({ apiUrl: local.chatUrl }).createUser({ name: 'Ada' });
  const client = await tryOut(page, local.chatUrl, 'getUser', 'get /users/me');
  await client.getByLabel('Value', { exact: true }).first().fill(key);
  const { url, status, body } = await send(page, client);

  assert.deepEqual({ url, status, body }, { url: `${local.chatUrl}/users/me`, status: 200, body: { user } });
  await client.getByText(`"${user.id}"`).first().waitFor();
}

async function tryPlatform(page: Page): Promise<void> {
  const { bots } = await adminClient().listBots({ sortField: 'updatedAt', sortDirection: 'desc' });
  const client = await tryOut(page, `${local.apiUrl}/v1`, 'listBots', 'get /admin/bots');
  await client.getByLabel('Bearer Token').fill(local.tokens.owner);
  await client.getByLabel('Value', { exact: true }).first().fill(local.workspaceId);
  const { url, status, body } = await send(page, client);

  assert.equal(status, 200);
  assert.ok(url.startsWith(`${local.apiUrl}/v1/admin/bots?`), url);
  assert.deepEqual(body.bots.map(({ id }: { id: string }) => id).sort(), bots.map(({ id }) => id).sort());
  await client.getByText(`"${local.botId}"`).first().waitFor();
}

/** A group with its own path prefix. */
async function tryOtherPrefix(page: Page): Promise<void> {
  const client = await tryOut(page, `${local.apiUrl}/v1`, 'listModels', 'get /cognitive/models');
  await client.getByLabel('Bearer Token').fill(local.tokens.bot);
  const { url } = await send(page, client);

  assert.equal(url, `${local.apiUrl}/v2/cognitive/models`);
}

/** Follows a link of the reference to a section of a guide, to another guide, and back. */
async function readGuide(page: Page, base: string): Promise<void> {
  await page.goto(`${base}/docs`);
  await page.getByRole('link', { name: 'Errors', exact: true }).first().click();
  await page.waitForURL(`${base}/docs/conventions#errors`);
  await page.getByRole('heading', { level: 2, name: /^Errors/ }).waitFor();
  assert.deepEqual(await violationsIn(page), []);
  const guides = page.getByRole('navigation', { name: 'Guides' });
  await guides.getByRole('link', { name: 'Files', exact: true }).first().click();
  await page.waitForURL(`${base}/docs/files`);
  await guides.getByRole('link', { name: 'API reference' }).click();
  await page.waitForURL(`${base}/docs`);
}

export async function testReference(browser: Browser): Promise<void> {
  for (const scheme of ['light', 'dark'] as const) {
    const context = await newContext(browser);
    const page = await context.newPage();
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await tryChat(page);
    await tryPlatform(page);
    if (scheme === 'light') await tryOtherPrefix(page);
    for (const base of [local.chatUrl, `${local.apiUrl}/v1`]) {
      await readGuide(page, base);
      await page.goto(`${base}/docs`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      assert.equal(await page.locator(`body.${scheme}-mode`).count(), 1);
      // Text colors follow the page's.
      await page.waitForFunction(
        `/\\d+/.exec(getComputedStyle(document.querySelector('h1')).color)[0] > 128 === ${scheme === 'dark'}`,
      );
      // Retries, because elements that are rendered later send more requests.
      let found: string[] = [];
      const isFree = async () => {
        found = (await violationsIn(page)).filter(each => !LIBRARY_VIOLATIONS.has(each.split(':')[0]!));
        return found.length === 0;
      };
      await until(isFree).catch(() => assert.deepEqual(found, []));
    }
    await context.close();
  }
  done('finds and calls operations on both pages of the reference, and reads guides, in light and dark');
}

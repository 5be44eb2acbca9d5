/** Tests what a team sets to make the widget its own: greeting, button, pictures, texts and color scheme. */
import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { violationsIn } from './accessibility.ts';
import { done, local, newContext, PHONE, until } from './stage.ts';
import { bubbles, FACE, focused, launcher, openChat, panel, type Site, say } from './widgetSite.ts';

const { chatUrl } = local;
const GREETING = 'Questions? <b onclick="alert(1)">Ask</b> <img src=x onerror=alert(1)>';
const greeting = (page: Page) => page.locator('parley-chat .greeting');
const dismiss = (page: Page) => greeting(page).getByRole('button', { name: 'Dismiss' });

export async function testGreeting(browser: Browser, site: Site): Promise<void> {
  const context = await newContext(browser, PHONE);
  const attributes = { 'data-greeting': GREETING };
  const page = await site.visit(context, { chatUrl, attributes });
  const calls: string[] = [];
  page.on('request', request => calls.push(request.url()));
  await greeting(page).getByText(GREETING).waitFor();
  const box = (await greeting(page).boundingBox())!;
  assert.ok(box.x >= 0 && box.x + box.width <= PHONE.width, `The greeting must fit a phone: ${JSON.stringify(box)}`);
  await dismiss(page).focus();
  await page.keyboard.press('Escape');
  await greeting(page).waitFor({ state: 'detached' });
  assert.equal(await focused(page), 'BUTTON');
  await page.reload();
  await launcher(page).waitFor();
  assert.equal(await greeting(page).count(), 0);
  assert.deepEqual(
    calls.filter(url => url.startsWith(chatUrl) && !url.endsWith('/widget')),
    [],
  );
  const changed = await site.visit(context, { chatUrl, attributes: { 'data-greeting': 'Another text' } });
  await greeting(changed).getByText('Another text').waitFor();
  await context.close();
  done('shows a greeting without a request, until it is dismissed by keyboard, and a new text again');

  const desk = await newContext(browser);
  const visitor = await site.visit(desk, { chatUrl, attributes, dir: 'rtl', lang: 'ar' });
  const [text, button] = await Promise.all([greeting(visitor).boundingBox(), launcher(visitor).boundingBox()]);
  assert.ok(Math.abs(text!.x - button!.x) < 1, 'The greeting must be above the button.');
  await greeting(visitor).getByText('Questions?').press('Enter');
  await bubbles(visitor, 'other', GREETING).waitFor();
  await say(visitor, 'مرحبا');
  await bubbles(visitor, 'other', 'مرحبا').waitFor();
  assert.equal(await bubbles(visitor, 'other', GREETING).count(), 1);
  await visitor.keyboard.press('Escape');
  assert.equal(await greeting(visitor).count(), 0);
  await visitor.reload();
  await openChat(visitor);
  await bubbles(visitor, 'other', 'مرحبا').waitFor();
  assert.equal(await bubbles(visitor, 'other', GREETING).count(), 0);
  await desk.close();
  done('shows the greeting as the first message of a new conversation, and does not store it');
}

const isLoaded = (page: Page, selector: string) =>
  page
    .locator(`parley-chat ${selector}`)
    .first()
    .evaluate(image => (image as unknown as { naturalWidth: number }).naturalWidth > 0);

export async function testBrand(browser: Browser, site: Site): Promise<void> {
  const context = await newContext(browser);
  const warnings: string[] = [];
  const attributes = {
    'data-launcher-text': 'Ask <us>',
    'data-launcher-icon': FACE,
    'data-avatar': FACE,
    'data-texts': JSON.stringify({ placeholder: 'Ask <i>something</i>', plcaeholder: 'x' }),
  };
  const page = await site.visit(context, { chatUrl, attributes });
  page.on('console', message => warnings.push(message.text()));
  await page.reload();
  await page.getByRole('button', { name: 'Ask <us>, Open the chat' }).waitFor();
  await until(() => isLoaded(page, '.launcherPicture'));
  await until(async () => warnings.some(text => text.includes('data-texts has the unknown key "plcaeholder"')));
  await openChat(page);
  assert.equal(await panel(page).locator('textarea').getAttribute('placeholder'), 'Ask <i>something</i>');
  await say(page, 'One');
  await bubbles(page, 'other', 'One').waitFor();
  for (const selector of ['header .avatar', '.message.other .avatar']) await until(() => isLoaded(page, selector));
  assert.equal(await panel(page).locator('.message.own .avatar').count(), 0);
  assert.equal(await launcher(page).getByText('Ask <us>').count(), 0);
  assert.deepEqual(await violationsIn(page), []);
  await context.close();
  done("shows a text and a picture on the button, the bot's picture, and the page's texts as text");

  const other = await newContext(browser);
  const missing = { 'data-launcher-icon': '/missing.png', 'data-avatar': '/missing.png' };
  const fallback = await site.visit(other, { chatUrl, attributes: missing });
  await fallback.locator('parley-chat [data-icon=chat]').waitFor();
  await openChat(fallback);
  await until(async () => (await panel(fallback).locator('.avatar').count()) === 0);
  const errors: string[] = [];
  fallback.on('console', message => errors.push(message.text()));
  for (const avatar of ['javascript:alert(1)', 'data:text/html,<script>alert(1)</script>', 'x'.repeat(1_000_000)]) {
    const script = `try { ParleyChat.show(${JSON.stringify({ chatUrl, avatar })}) } catch (error) { error.message }`;
    assert.match(await fallback.evaluate<string>(script), /^data-avatar (is|has)/);
  }
  assert.equal(await launcher(fallback).count(), 1);
  await other.close();
  done('shows its own symbols instead of pictures that do not load, and rejects URLs that are no pictures');
}

const LIGHT = 'rgb(255, 255, 255)';
const DARK = 'rgb(26, 27, 30)';
const background = (page: Page): Promise<string> =>
  panel(page).evaluate(element => {
    const { getComputedStyle } = globalThis as never as { getComputedStyle(e: unknown): { backgroundColor: string } };
    return getComputedStyle(element).backgroundColor;
  });

export async function testPageTheme(browser: Browser, site: Site): Promise<void> {
  for (const [system, colorScheme, theme, expected] of [
    ['dark', undefined, 'auto', LIGHT],
    ['light', undefined, 'auto', LIGHT],
    ['dark', 'light dark', 'auto', DARK],
    ['light', 'light dark', 'auto', LIGHT],
    ['light', 'dark', 'auto', DARK],
    ['dark', 'only light', 'auto', LIGHT],
    ['dark', 'light dark', 'light', LIGHT],
    ['light', undefined, 'dark', DARK],
  ] as const) {
    const context = await newContext(browser);
    const page = await context.newPage();
    await page.emulateMedia({ colorScheme: system });
    await page.close();
    const visited = await site.visit(context, {
      chatUrl,
      attributes: { 'data-theme': theme },
      ...(colorScheme ? { colorScheme } : {}),
    });
    await visited.emulateMedia({ colorScheme: system });
    await openChat(visited);
    assert.equal(await background(visited), expected, `${system} system, page ${colorScheme}, theme ${theme}`);
    await context.close();
  }
  const context = await newContext(browser);
  const page = await site.visit(context, { chatUrl });
  await openChat(page);
  await page.evaluate("document.documentElement.style.colorScheme = 'dark'");
  assert.equal(await background(page), DARK);
  await page.evaluate("document.documentElement.style.colorScheme = ''");
  assert.equal(await background(page), LIGHT);
  await context.close();
  done("follows the page's color scheme and not only that of the system, also when the page changes it");
}

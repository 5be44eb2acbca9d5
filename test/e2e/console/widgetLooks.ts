/** Tests the widget's languages, colors, isolation from the page's styles, and phone layout. */
import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { violationsIn } from './accessibility.ts';
import { done, local, newContext, PHONE } from './stage.ts';
import { testMessageTypes } from './widgetKinds.ts';
import { bubbles, FACE, focused, launcher, MEDIA, openChat, panel, type Site, say, untilOpened } from './widgetSite.ts';

/** Pictures and texts of the page. */
const BRAND = {
  'data-greeting': 'Questions about an order?',
  'data-launcher-text': 'Ask us',
  'data-launcher-icon': FACE,
  'data-avatar': FACE,
};

export async function testLanguages(browser: Browser, site: Site): Promise<void> {
  const context = await newContext(browser);
  const german = await site.visit(context, { chatUrl: local.chatUrl, lang: 'de-AT' });
  await german.getByRole('button', { name: 'Chat öffnen' }).click();
  await german.getByRole('textbox', { name: 'Nachricht' }).waitFor();
  await german.evaluate(() =>
    (globalThis as never as { ParleyChat: { chat: { setLanguage(l: string): void } } }).ParleyChat.chat.setLanguage(
      'fr',
    ),
  );
  await german.getByRole('textbox', { name: 'Message' }).waitFor();
  await german.getByRole('button', { name: 'Fermer la discussion' }).first().waitFor();

  const arabic = await site.visit(context, { chatUrl: local.chatUrl, lang: 'ar', dir: 'rtl' });
  await arabic.getByRole('button', { name: 'فتح المحادثة' }).click();
  await say(arabic, 'مرحبا');
  await bubbles(arabic, 'other', 'مرحبا').first().waitFor();
  const [other, own] = await Promise.all([
    bubbles(arabic, 'other', 'مرحبا').first().boundingBox(),
    bubbles(arabic, 'own', 'مرحبا').first().boundingBox(),
  ]);
  assert.ok(own!.x < other!.x, 'Own messages are on the left in a right-to-left script.');
  const place = await launcher(arabic).boundingBox();
  assert.ok(place!.x < 100, `The button must be on the left: ${place!.x}`);
  assert.equal(await arabic.evaluate('document.documentElement.scrollWidth > window.innerWidth'), false);
  await context.close();
  done('supports German, French and right-to-left Arabic');
}

export async function testWidgetAccessibility(browser: Browser, site: Site, chatUrl: string): Promise<void> {
  const faults: string[] = [];
  for (const [name, viewport, scheme, theme] of [
    ['desktop, light', undefined, 'light', 'auto'],
    ['desktop, dark', undefined, 'dark', 'auto'],
    ['desktop, dark by the tag', undefined, 'light', 'dark'],
    ['phone, light', PHONE, 'light', 'auto'],
    ['phone, dark', PHONE, 'dark', 'auto'],
  ] as const) {
    const context = await newContext(browser, viewport);
    const attributes = { ...MEDIA, ...BRAND, 'data-theme': theme };
    const page = await site.visit(context, { chatUrl, attributes, colorScheme: 'light dark' });
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await page.getByRole('button', { name: BRAND['data-greeting'] }).waitFor();
    faults.push(...(await violationsIn(page)).map(each => `${name}, closed: ${each}`));
    await openChat(page);
    await say(page, 'Hello');
    await bubbles(page, 'other', 'Hello').waitFor();
    await testMessageTypes(page, chatUrl, { isSilent: true });
    faults.push(...(await violationsIn(page)).map(each => `${name}: ${each}`));
    await context.close();
  }
  assert.deepEqual(faults, []);
  done('axe finds no violations, closed or open with all message types, in light and dark, on desktop and phone');

  const context = await newContext(browser);
  const page = await site.visit(context, { chatUrl: local.chatUrl });
  await openChat(page);
  await say(page, 'Hello');
  await bubbles(page, 'other', 'Hello').waitFor();
  const style = await panel(page)
    .locator('.title')
    .evaluate(title => {
      const { getComputedStyle } = globalThis as never as { getComputedStyle(e: unknown): Record<string, string> };
      const { fontSize, letterSpacing, textTransform, color } = getComputedStyle(title);
      return { fontSize, letterSpacing, textTransform, color };
    });
  assert.deepEqual(style, {
    fontSize: '15px',
    letterSpacing: 'normal',
    textTransform: 'none',
    color: 'rgb(255, 255, 255)',
  });
  assert.equal(await page.evaluate("getComputedStyle(document.querySelector('h1')).fontSize"), '40px');
  await context.close();
  done("is isolated from the page's styles");
}

export async function testPhoneLayout(browser: Browser, site: Site): Promise<void> {
  const context = await newContext(browser, PHONE);
  const page = await site.visit(context, { chatUrl: local.chatUrl });
  await openChat(page);
  await untilOpened(page);
  const box = await panel(page).boundingBox();
  assert.deepEqual([box!.x, box!.y, box!.width, box!.height], [0, 0, PHONE.width, PHONE.height]);
  await say(page, 'From a phone');
  await bubbles(page, 'other', 'From a phone').waitFor();
  for (let i = 0; i < 12; i++) {
    await page.keyboard.press(i < 8 ? 'Tab' : 'Shift+Tab');
    assert.ok(await focused(page), 'The focus left the chat.');
  }
  await panel(page).getByRole('button', { name: 'Close the chat' }).click();
  await panel(page).waitFor({ state: 'detached' });
  assert.equal(await focused(page), 'BUTTON');
  await context.close();
  done('fills the screen of a phone and traps the focus until it is closed');
}

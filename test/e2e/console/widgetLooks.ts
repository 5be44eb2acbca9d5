/** Tests the widget's languages, colors, isolation from the page's styles, and phone layout. */
import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { violationsIn } from './accessibility.ts';
import { done, local, newContext, PHONE } from './stage.ts';
import { walkThroughKinds } from './widgetKinds.ts';
import { atRest, bubbles, focused, launcher, MEDIA, openChat, panel, type Site, say } from './widgetSite.ts';

export async function speakLanguages(browser: Browser, site: Site): Promise<void> {
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
  assert.ok(own!.x < other!.x, 'What the user says is on the left in a script that runs to the left.');
  const place = await launcher(arabic).boundingBox();
  assert.ok(place!.x < 100, `The button is on the left: ${place!.x}`);
  assert.equal(await arabic.evaluate('document.documentElement.scrollWidth > window.innerWidth'), false);
  await context.close();
  done('it speaks German, French and Arabic, which runs from right to left');
}

export async function beAccessible(browser: Browser, site: Site, chatUrl: string): Promise<void> {
  const faults: string[] = [];
  for (const [name, viewport, scheme, theme] of [
    ['a desk, light', undefined, 'light', 'auto'],
    ['a desk, dark', undefined, 'dark', 'auto'],
    ['a desk, dark by the tag', undefined, 'light', 'dark'],
    ['a phone, light', PHONE, 'light', 'auto'],
    ['a phone, dark', PHONE, 'dark', 'auto'],
  ] as const) {
    const context = await newContext(browser, viewport);
    const page = await site.visit(context, { chatUrl, attributes: { ...MEDIA, 'data-theme': theme } });
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    faults.push(...(await violationsIn(page)).map(each => `${name}, closed: ${each}`));
    await openChat(page);
    await say(page, 'Hello');
    await bubbles(page, 'other', 'Hello').waitFor();
    await walkThroughKinds(page, chatUrl, { isQuiet: true });
    faults.push(...(await violationsIn(page)).map(each => `${name}: ${each}`));
    await context.close();
  }
  assert.deepEqual(faults, []);
  done('axe finds nothing, closed or open with messages of all kinds, in light and dark, on a desk and a phone');

  const context = await newContext(browser);
  const page = await site.visit(context, { chatUrl: local.chatUrl, isHostile: true });
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
  await context.close();
  done("the page's styles do not reach it");
}

export async function useAPhone(browser: Browser, site: Site): Promise<void> {
  const context = await newContext(browser, PHONE);
  const page = await site.visit(context, { chatUrl: local.chatUrl });
  await openChat(page);
  await atRest(page);
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
  done('on a phone it fills the screen and keeps the focus until it is closed');
}

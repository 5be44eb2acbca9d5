/** Pictures of a run that a person reviews. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { CONSOLE, local, newContext, PHONE } from './stage.ts';

/** Folder of the pictures. None are taken by default. */
const PICTURES = process.env.PICTURES;

export async function capture(page: Page, name: string): Promise<void> {
  if (!PICTURES) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`) });
}

/** Opens the console on a phone, in the dark theme and in German, if pictures are wanted. */
export async function eachLook(
  browser: Browser,
  width: number,
  show: (page: Page, name: string) => Promise<void>,
): Promise<void> {
  if (!PICTURES) return;
  const desk = { width, height: 900 };
  for (const [name, viewport, locale, colorScheme] of [
    ['phone', PHONE, 'en-US', 'light'],
    ['dark', desk, 'en-US', 'dark'],
    ['german', desk, 'de-DE', 'light'],
  ] as const) {
    const context = await newContext(browser, viewport, locale);
    const page = await context.newPage();
    await page.emulateMedia({ colorScheme });
    await page.goto(CONSOLE);
    // Labels are translated.
    await page.getByRole('textbox').first().fill(local.tokens.owner);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Bots', level: 1 }).waitFor();
    await show(page, name);
    await context.close();
  }
}

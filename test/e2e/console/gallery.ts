/**
 * Captures every page with realistic data into the folder GALLERY: on desktop and phone, with light and dark colors,
 * in English and German. For a review by eye.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { seedGallery } from './gallerySeed.ts';
import { CONSOLE, local, newContext, PHONE, say } from './stage.ts';

const LOOKS = [
  ['desk', undefined],
  ['phone', PHONE],
] as const;

/** Texts of the sign-in page by locale. */
const SIGN_IN = {
  'en-US': { token: 'Personal access token', button: 'Sign in' },
  'de-DE': { token: 'Persönlicher Zugriffstoken', button: 'Anmelden' },
} as const;

/** Pages wait for data longer than for fonts and transitions. */
async function settle(page: Page): Promise<void> {
  await page.locator('main').waitFor();
  await page.waitForLoadState('networkidle').catch(() => undefined);
  await page
    .locator('[role=status][aria-label]')
    .first()
    .waitFor({ state: 'detached', timeout: 5_000 })
    .catch(() => {});
  await page.evaluate('document.fonts.ready');
}

export async function captureGallery(browser: Browser): Promise<void> {
  const folder = process.env.GALLERY;
  if (!folder) throw new Error('Set GALLERY to the folder of the images.');
  mkdirSync(folder, { recursive: true });
  const only = process.env.GALLERY_PAGES?.split(',');
  const pages = (await seedGallery()).filter(([name]) => !only || only.includes(name));
  for (const locale of ['en-US', 'de-DE'] as const) {
    for (const [look, viewport] of LOOKS) {
      const context = await newContext(browser, viewport, locale);
      const page = await context.newPage();
      await page.goto(CONSOLE);
      await page.getByLabel(SIGN_IN[locale].token).fill(local.tokens.owner);
      await page.getByRole('button', { name: SIGN_IN[locale].button }).click();
      await page.getByRole('heading', { name: 'Bots', level: 1 }).waitFor();
      for (const [name, path] of pages) {
        await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
        // A new document, so that no image shows the previous page.
        await page.goto('about:blank');
        await page.goto(`${CONSOLE}#${path}`);
        await settle(page);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
          const file = `${name}-${look}-${colorScheme}-${locale.slice(0, 2)}.png`;
          await page.screenshot({ path: join(folder, file), animations: 'disabled' });
        }
      }
      await context.close();
    }
  }
  say(`The images are in ${folder}.`);
}

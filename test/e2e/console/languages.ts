/** Tests the choice of a language, and that every page fits a phone in the language with the longest words. */
import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { pagesOf } from './accessibility.ts';
import { CONSOLE, done, local, newContext, PHONE, signedIn } from './stage.ts';

export async function testLanguages(browser: Browser, botId: string): Promise<void> {
  const context = await newContext(browser);
  const page = await signedIn(context);
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Deutsch' }).click();
  await page.getByRole('link', { name: 'Mitglieder' }).click();
  await page.getByRole('heading', { name: 'Mitglieder', level: 1 }).waitFor();
  assert.equal(await page.evaluate('document.documentElement.lang'), 'de');
  await page.reload();
  await page.getByRole('heading', { name: 'Mitglieder', level: 1 }).waitFor();
  await page.getByRole('button', { name: /^Konto/ }).click();
  await page.getByRole('menuitem', { name: 'English' }).click();
  await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
  await context.close();
  done('switches to German and back, and keeps the choice');

  const german = await newContext(browser, PHONE, 'de-DE');
  const phone = await german.newPage();
  await phone.goto(CONSOLE);
  await phone.getByLabel('Persönlicher Zugriffstoken').fill(local.tokens.owner);
  await phone.getByRole('button', { name: 'Anmelden' }).click();
  await phone.getByRole('heading', { name: 'Bots', level: 1 }).waitFor();
  const wide: string[] = [];
  for (const [path] of await pagesOf(botId)) {
    await phone.goto(`${CONSOLE}#${path}`);
    await phone.getByRole('heading', { level: 1 }).first().waitFor();
    await phone.getByRole('status', { name: 'Wird geladen' }).first().waitFor({ state: 'detached' });
    if (await phone.evaluate('document.documentElement.scrollWidth > window.innerWidth')) wide.push(path);
  }
  assert.deepEqual(wide, []);
  await german.close();
  done('follows the language of the browser, and fits a phone on every page');
}

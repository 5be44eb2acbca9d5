/** Escape, Cancel and Back in dialogs, with and without changed values. */
import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { done, newContext, open, signedIn } from './stage.ts';

export async function testDialogs(browser: Browser, botId: string): Promise<void> {
  const context = await newContext(browser);
  const page = await signedIn(context);

  await open(page, `/bots/${botId}/integrations?installation=chat`, 'Integrations');
  const panel = page.getByRole('dialog', { name: 'Chat' });
  await panel.getByRole('button', { name: 'Uninstall' }).click();
  const confirmation = page.getByRole('dialog').filter({ has: page.getByRole('button', { name: 'Cancel' }) });
  await confirmation.waitFor();
  await page.keyboard.press('Escape');
  await confirmation.waitFor({ state: 'detached' });
  assert.equal(await panel.isVisible(), true);
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  done('closes the confirmation of a side panel by Escape, and the panel by the next one');

  await open(page, '/', 'Bots');
  await page.getByRole('button', { name: 'New bot' }).click();
  const dialog = page.getByRole('dialog', { name: 'New bot' });
  const question = page.getByRole('dialog', { name: 'Discard the changes?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'New bot' }).click();
  await dialog.getByLabel('Name').fill('Half a bot');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor();
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'Half a bot');
  done('asks before Cancel discards entered values, and keeps them by Escape');

  await page.goBack();
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await question.waitFor({ state: 'detached' });
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'Half a bot');
  await page.goBack();
  await question.getByRole('button', { name: 'Discard' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal(await question.count(), 0);
  await context.close();
  done('asks before Back discards entered values');
}

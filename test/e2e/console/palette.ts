/** The command palette and shortcuts: pages, bots, conversations by id, and actions. */
import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { violationsIn } from './accessibility.ts';
import { botClient, CONSOLE, done, newContext, open, signedIn } from './stage.ts';

export async function testPalette(browser: Browser, botId: string): Promise<void> {
  const { conversations } = await botClient(botId).listConversations({});
  const id = conversations[0]!.id;
  const context = await newContext(browser);
  const page = await signedIn(context);

  await find(page, 'audit');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor();
  await find(page, 'Test bot');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Test bot', level: 1 }).waitFor();
  await find(page, 'Files');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Files', level: 1 }).waitFor();
  done('opens pages of the workspace and of a bot, and a bot by name');

  await page.goto(CONSOLE);
  await page.getByRole('heading', { name: 'Bots', level: 1 }).waitFor();
  await find(page, id);
  await page.getByRole('button', { name: `Open ${id}` }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator(`[data-open-conversation="${id}"]`).waitFor();
  await find(page, 'New bot');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'New bot' }).waitFor();
  await page.goBack();
  await page.getByRole('dialog', { name: 'New bot' }).waitFor({ state: 'detached' });
  done('finds a conversation of any bot by id, and opens a dialog that the back button closes');

  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await find(page, '');
    assert.deepEqual(await violationsIn(page), []);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Next conversation').waitFor();
    assert.deepEqual(await violationsIn(page), []);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  done('axe finds no violations in the palette and the list of shortcuts, in light and dark');

  await open(page, `/bots/${botId}`, 'Test bot');
  await press(page, 'g', 'c');
  await page.getByRole('heading', { name: 'Conversations', level: 1 }).waitFor();
  await page.locator('a[data-conversation]').first().waitFor();
  await page.keyboard.press('j');
  await page.locator(`[data-open-conversation]`).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('gu?');
  assert.equal(await page.getByLabel('Search customers and messages').inputValue(), 'gu?');
  assert.match(page.url(), /\/conversations\//);
  done('opens pages and conversations by keys, except in text fields');

  await page.locator('main').focus();
  await page.keyboard.press('?');
  await page.getByLabel('Shortcuts without Ctrl or ⌘').uncheck();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await press(page, 'g', 'e');
  await find(page, 'Events');
  assert.match(page.url(), /\/conversations\//);
  await page.keyboard.press('Escape');
  await context.close();
  done('opens the palette after single-key shortcuts are turned off');
}

async function find(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  const field = page.getByLabel('Search pages, bots and actions');
  await field.fill(text);
  await page.getByRole('dialog').getByRole('button').first().waitFor();
}

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

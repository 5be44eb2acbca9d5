/** Tests that Enter and Escape of an input method, as Safari sends them, only confirm or cancel a word. */
import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { adminClient, botClient, CONSOLE, call, done, local, newContext, open, signedIn } from './stage.ts';

const WORD = 'にほん';

/** Presses a key of an input method in the focused element. Safari has ended the composition before Enter. */
export const pressInputMethodKey = (page: Page, key: 'Enter' | 'Escape'): Promise<void> =>
  page.evaluate(`{
    let target = document.activeElement;
    while (target.shadowRoot?.activeElement) target = target.shadowRoot.activeElement;
    target.dispatchEvent(new KeyboardEvent('keydown',
      { key: '${key}', keyCode: 229, bubbles: true, composed: true, cancelable: true }));
  }`);

export async function testInputMethods(browser: Browser): Promise<void> {
  const { bot } = await adminClient().createBot({ name: `Bot of words ${Date.now().toString(36)}` });
  await adminClient().updateBot({
    id: bot.id,
    integrations: { chat: { integrationId: local.integrationId, enabled: true } },
  });
  const client = botClient(bot.id);
  const { conversation } = await client.createConversation({ channel: 'channel', tags: {} });
  await call('POST', '/chat/saved-replies', { name: WORD, text: 'Hello' }, { botId: bot.id });
  const { table } = await client.createTable({
    name: 'wordsTable',
    schema: { type: 'object', properties: { text: { type: 'string' } } },
  });
  await client.createTableRows({ table: table.id, rows: [{ text: 'one' }] });
  const context = await newContext(browser);
  const page = await signedIn(context);

  await open(page, `/bots/${bot.id}/chat`, 'Test chat');
  await keepsText(page, 'Message');
  await page.keyboard.press('Enter');
  await page.locator('[data-message]', { hasText: WORD }).waitFor();

  await page.goto(`${CONSOLE}#/inbox/${bot.id}/${conversation.id}`);
  await keepsText(page, 'Reply text');
  await page.getByLabel('Reply text').fill('');
  await page.getByLabel('Reply text').fill('/');
  await page.getByRole('option', { name: WORD }).waitFor();
  await pressInputMethodKey(page, 'Enter');
  assert.equal(await page.getByLabel('Reply text').inputValue(), '/');
  await page.keyboard.press('Enter');
  assert.equal(await page.getByLabel('Reply text').inputValue(), 'Hello');

  await open(page, `/bots/${bot.id}/tables/${table.id}`, 'wordsTable');
  await page.getByRole('gridcell', { name: 'one' }).dblclick();
  await page.keyboard.type(WORD);
  await pressInputMethodKey(page, 'Escape');
  await pressInputMethodKey(page, 'Enter');
  assert.equal(await page.locator('input:focus').inputValue(), `one${WORD}`);
  await page.keyboard.press('Escape');

  await page.keyboard.press('Control+k');
  const search = page.getByLabel('Search pages, bots and actions');
  await search.fill('Members');
  await pressInputMethodKey(page, 'Enter');
  await pressInputMethodKey(page, 'Escape');
  assert.equal(await search.inputValue(), 'Members');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
  await context.close();
  done('sends, saves and opens nothing while a word is confirmed, in composers, cells and the palette');
}

async function keepsText(page: Page, label: string): Promise<void> {
  const field = page.getByLabel(label, { exact: true });
  await field.fill(WORD);
  await pressInputMethodKey(page, 'Escape');
  await pressInputMethodKey(page, 'Enter');
  assert.equal(await field.inputValue(), WORD);
  assert.equal(await page.locator('[data-message]').count(), 0);
}

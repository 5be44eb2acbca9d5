/** Tests that tabs and devices show one conversation, and what a new conversation keeps. */
import assert from 'node:assert/strict';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { signUserKey } from '#shared/api/chat/userKey.ts';
import { pressInputMethodKey } from './inputMethods.ts';
import { botClient, done, local, newContext, until } from './stage.ts';
import { bubbles, openChat, panel, type Site, say, storedSession } from './widgetSite.ts';

const { chatUrl } = local;
const OPEN = { 'data-open': '' };
const ROUNDS = 6;
const run = (page: Page, script: string): Promise<unknown> => page.evaluate(script);

export async function testTabs(browser: Browser, site: Site): Promise<void> {
  await openSimultaneously(browser, site);
  await openWithoutLocks(browser, site);
  await useDevices(browser, site);
  await startAnew(browser, site);
  await survivesDeletion(browser, site);
}

/** Sends a message in each page, which all others show. */
async function converse(pages: readonly Page[], name: string): Promise<void> {
  for (const [i, page] of pages.entries()) {
    await say(page, `${name} from ${i}.`);
    for (const other of pages) await bubbles(other, 'own', `${name} from ${i}.`).waitFor();
  }
}

const openTabs = (context: BrowserContext, site: Site, attributes: Record<string, string> = OPEN) =>
  Promise.all([1, 2].map(() => site.visit(context, { chatUrl, attributes })));

async function openSimultaneously(browser: Browser, site: Site): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const context = await newContext(browser);
    const created: string[] = [];
    context.on('response', response => {
      if (response.status() === 201) created.push(new URL(response.url()).pathname.replace(/^.*(?=\/users)/, ''));
    });
    const tabs = await openTabs(context, site);
    await converse(tabs, `Round ${round}`);
    assert.deepEqual(created.filter(path => path.startsWith('/users')).toSorted(), [
      '/users',
      '/users/me/conversation',
    ]);
    for (const tab of tabs) await tab.reload();
    for (const tab of tabs) await bubbles(tab, 'own', `Round ${round} from 1.`).waitFor();
    await context.close();
  }
  done(`shows one user and one conversation in two tabs that open simultaneously, ${ROUNDS} times`);
}

async function openWithoutLocks(browser: Browser, site: Site): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const context = await newContext(browser);
    await context.addInitScript("Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })");
    const tabs = await openTabs(context, site);
    for (const tab of tabs) await until(async () => (await storedSession(tab, chatUrl)).conversationId);
    await converse(tabs, `Round ${round}`);
    await context.close();
  }
  done('shows one conversation in two tabs of a page without locks');
}

async function useDevices(browser: Browser, site: Site): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const id = `devices-${round}-${Date.now().toString(36)}`;
    const attributes = { ...OPEN, 'data-user-key': signUserKey(local, { id }) };
    const contexts = [await newContext(browser), await newContext(browser)];
    const pages = await Promise.all(contexts.map(context => site.visit(context, { chatUrl, attributes })));
    await converse(pages, `Round ${round}`);
    for (const context of contexts) await context.close();
  }
  done(`shows one conversation on two devices of a user that open simultaneously, ${ROUNDS} times`);
}

async function startAnew(browser: Browser, site: Site): Promise<void> {
  const context = await newContext(browser);
  const tabs = await openTabs(context, site);
  const [first, second] = tabs as [Page, Page];
  await converse(tabs, 'Before');
  const { conversationId } = await storedSession(first, chatUrl);
  const client = botClient(local.botId);
  await until(async () => {
    await client.callAction({ type: 'chat:startTypingIndicator', input: { conversationId } });
    return panel(first).locator('.typing').isVisible();
  });
  await panel(second).locator('textarea').fill('Draft');

  await run(first, 'ParleyChat.chat.startAnew()');
  for (const tab of tabs) await bubbles(tab, 'own', 'Before from 0.').waitFor({ state: 'detached' });
  assert.equal(await panel(first).locator('.typing').count(), 0);
  assert.equal(await panel(second).locator('textarea').inputValue(), 'Draft');
  await converse(tabs, 'After');
  assert.notEqual((await storedSession(first, chatUrl)).conversationId, conversationId);
  await context.close();
  done('starts a new conversation in all tabs, without the typing of the former one, and keeps the draft');
}

async function survivesDeletion(browser: Browser, site: Site): Promise<void> {
  const context = await newContext(browser);
  const page = await site.visit(context, { chatUrl });
  await openChat(page);
  await say(page, 'Hello');
  await bubbles(page, 'other', 'Hello').waitFor();
  const composer = panel(page).locator('textarea');
  await composer.fill('にほん');
  await pressInputMethodKey(page, 'Enter');
  await pressInputMethodKey(page, 'Escape');
  assert.equal(await composer.inputValue(), 'にほん');
  done('neither sends a message nor closes the chat while a word is confirmed or cancelled');

  await page.keyboard.press('Escape');
  await openChat(page);
  assert.equal(await composer.inputValue(), 'にほん');
  const { conversationId } = await storedSession(page, chatUrl);
  await botClient(local.botId).deleteConversation({ id: conversationId });
  await panel(page).getByText('This conversation has ended.').waitFor();
  await panel(page).getByRole('button', { name: 'Start a new conversation' }).click();
  await bubbles(page, 'own', 'Hello').waitFor({ state: 'detached' });
  assert.equal(await composer.inputValue(), 'にほん');
  await composer.press('Enter');
  await bubbles(page, 'other', 'にほん').waitFor();
  await context.close();
  done('keeps the draft while the chat is closed and after the conversation was deleted');
}

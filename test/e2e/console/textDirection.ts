/**
 * Tests that texts of others in Hebrew, or with a bidi control, do not reorder what stands beside them. Walks all pages
 * of a bot whose every name, message and value is such a text.
 */
import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { pagesOf } from './accessibility.ts';
import { newBotOfOthers, newMember, payloadsOf } from './foreignTexts.ts';
import { adminClient, botClient, CONSOLE, call, done, local, newContext, open, signedIn } from './stage.ts';
import { bubbles, panel, type Site, storedSession } from './widgetSite.ts';

/** Overrides the direction of everything after it, up to the end of its element or isolate. */
const VALUE = '\u202eשלום עולם';

/** Finds faults in the page, and in the shadow root of an element. Runs in the page. */
function findReordered(rootOf: string | undefined): string[] {
  // biome-ignore lint/suspicious/noExplicitAny: this project's types exclude the DOM
  const page = globalThis as any;
  const host = rootOf ? page.document.querySelector(rootOf).shadowRoot : page.document.body;
  const foreign = /[\u202e\u0590-\u05ff]/;
  // Also as a JSON string, and as the key of a file.
  const value = /"?(?:notes\/)?(?:\u202e|\\u202e)?שלום עולם\d*(?:\.txt)?"?/g;
  const faults: string[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: see above
  const isIsolating = (element: any) =>
    ['isolate', 'isolate-override', 'plaintext'].includes(page.getComputedStyle(element).unicodeBidi);
  /** A value is alone, or isolated by characters. */
  const isAlone = (text: string) => {
    const rest = text.replace(/\u2068[^\u2069]*\u2069/g, '');
    return (rest.match(value) ?? []).length === 0 || rest.replace(value, '').trim() === '';
  };
  // biome-ignore lint/suspicious/noExplicitAny: see above
  const check = (node: any) => {
    const text: string = node.data;
    let scope = node.parentElement;
    if (text.trim() === '' || scope === null || /^(SCRIPT|STYLE)$/.test(scope.tagName)) return;
    if (scope.getClientRects().length === 0) return;
    while (!isIsolating(scope)) scope = scope.parentElement;
    if (foreign.test(text)) {
      let own = '';
      const texts = page.document.createTreeWalker(scope, page.NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        let around = texts.currentNode.parentElement;
        while (!isIsolating(around)) around = around.parentElement;
        if (around === scope) own += texts.currentNode.data;
      }
      if (!isAlone(own)) faults.push(`shares an element: ${scope.outerHTML.slice(0, 300)}`);
      return;
    }
    const letters = [...text.matchAll(/[A-Za-z0-9]/g)].map(({ index }) => index);
    if (letters.length < 2) return;
    const [first, last] = [letters[0]!, letters.at(-1)!].map(at => {
      const range = page.document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      return range.getBoundingClientRect();
    });
    if (first.top === last.top && first.left > last.left) faults.push(`is reordered: ${scope.outerHTML.slice(0, 300)}`);
  };
  const all = page.document.createTreeWalker(host, page.NodeFilter.SHOW_TEXT);
  while (all.nextNode()) check(all.currentNode);
  for (const element of host.querySelectorAll('*')) {
    for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
      const text = element.getAttribute(name) ?? '';
      if (foreign.test(text) && !isAlone(text)) faults.push(`shares ${name}: ${text}`);
    }
  }
  if (foreign.test(page.document.title) && !isAlone(page.document.title)) faults.push('shares the title');
  return faults;
}

const reorderedIn = (page: Page, rootOf?: string): Promise<string[]> => page.evaluate(findReordered, rootOf);

/** Opens the details, the confirmations and the menus of a page. */
async function openEach(page: Page, check: () => Promise<void>): Promise<void> {
  const openers = page.locator('main td button, button[aria-haspopup=menu]');
  const popup = page.locator('[role=dialog], [role=menu]');
  for (let i = 0; i < Math.min(await openers.count(), MOST_OPENERS); i++) {
    await openers.nth(i).click();
    const isOpen = await popup.waitFor({ timeout: POPUP_MS }).then(
      () => true,
      () => false,
    );
    if (!isOpen) continue;
    await check();
    await page.keyboard.press('Escape');
    await popup.waitFor({ state: 'detached' });
  }
}

/** The first row has all of them. */
const MOST_OPENERS = 6;
const POPUP_MS = 1_500;

export async function testTextDirection(browser: Browser): Promise<void> {
  const texts = Array.from({ length: 12 }, (_, i) => `${VALUE}${i}`);
  const { bot, conversationId } = await newBotOfOthers({ name: VALUE, texts, url: 'https://example.com/menu' });
  // The palette omits the open bot.
  await adminClient().createBot({ name: VALUE });
  const { name: workspaceName } = await adminClient().getWorkspace({ id: local.workspaceId });
  const context = await newContext(browser);
  const page = await signedIn(context);
  const faults: string[] = [];
  const check = async (where: string) => {
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    faults.push(...(await reorderedIn(page)).map(each => `${where}: ${each}`));
  };
  await adminClient().updateWorkspace({ id: local.workspaceId, name: VALUE });
  try {
    for (const [path, heading] of await pagesOf(bot.id)) {
      await open(page, path, path === `/bots/${bot.id}` ? VALUE : heading);
      await check(path);
      await openEach(page, () => check(`a dialog or menu of ${path}`));
    }
    await page.goto(`${CONSOLE}#/inbox/${bot.id}/${conversationId}?bot=${bot.id}&view=all`);
    const bubble = page.locator(`[data-message] [dir=auto]`, { hasText: `${VALUE}0` }).first();
    await bubble.waitFor();
    // biome-ignore lint/suspicious/noExplicitAny: this project's types exclude the DOM
    const direction = await bubble.evaluate(element => (globalThis as any).getComputedStyle(element).direction);
    assert.equal(direction, 'rtl');
    await page.getByRole('button', { name: 'Details' }).click();
    await check('the details of a conversation');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Note', exact: true }).click();
    await page.getByLabel('Note text').fill('/');
    await page.getByRole('option').first().waitFor();
    await check('saved replies');
    await page.keyboard.press('Control+k');
    await page.getByLabel('Search pages, bots and actions').fill(VALUE.slice(1));
    await page.getByRole('dialog').getByText(VALUE).first().waitFor();
    await check('the palette');
  } finally {
    await adminClient().updateWorkspace({ id: local.workspaceId, name: workspaceName });
  }
  assert.deepEqual(faults, []);
  await context.close();
  done('isolates Hebrew texts and bidi controls on all pages, and lays messages out from right to left');
}

/** Shows all types of messages and a member with such texts, on pages in English and in Arabic. */
export async function testWidgetTextDirection(browser: Browser, site: Site): Promise<void> {
  const context = await newContext(browser);
  const attributes = { 'data-title': VALUE, 'data-open': '' };
  const page = await site.visit(context, { chatUrl: local.webchatUrl, attributes });
  const composer = panel(page).locator('textarea');
  await composer.fill(VALUE);
  await composer.press('Enter');
  await bubbles(page, 'other', VALUE).waitFor();
  const { conversationId } = await storedSession(page, local.webchatUrl);
  const botId = local.deployedBotId;
  const client = botClient(botId);
  for (const { type, ...payload } of payloadsOf(VALUE, 'https://example.com/menu')) {
    await client.createMessage({ conversationId, userId: botId, tags: {}, type, payload });
  }
  const accountId = await newMember(VALUE);
  const { handoff } = await call('POST', '/chat/handoffs', { conversationId, accountId }, { botId });
  const faults: string[] = [];
  for (const lang of ['en', 'ar']) {
    await page.evaluate(`ParleyChat.chat.setLanguage('${lang}')`);
    await panel(page).getByRole('status').first().getByText(VALUE).waitFor();
    await panel(page).locator('.bubble.carousel').waitFor();
    faults.push(...(await reorderedIn(page, 'parley-chat')).map(each => `${lang}: ${each}`));
  }
  assert.deepEqual(faults, []);
  await call('POST', `/chat/handoffs/${handoff.id}/end`, { servedBy: accountId }, { botId });
  await context.close();
  done('isolates Hebrew texts and bidi controls in the widget, in English and in Arabic');
}

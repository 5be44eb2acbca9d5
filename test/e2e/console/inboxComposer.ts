/** The composer and the actions of the inbox: private notes, and Undo of take over, assign and close. */
import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { type EndUser, newEndUser } from './endUser.ts';
import { adminClient, CONSOLE, call, done, local, newContext, signedIn, until } from './stage.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: 'Reply' | 'Note') => page.getByLabel(`${name} text`);

export async function testInboxComposer(browser: Browser): Promise<void> {
  const { bot } = await adminClient().createBot({ name: `Bot of the composer ${Date.now().toString(36)}` });
  await adminClient().updateBot({
    id: bot.id,
    integrations: { chat: { integrationId: local.integrationId, enabled: true } },
  });
  await call('PUT', '/admin/account/me', { displayName: 'Olivia' });
  const [ada, grace] = [await newEndUser(bot.id, 'Ada'), await newEndUser(bot.id, 'Grace')];
  const context = await newContext(browser);
  const page = await signedIn(context);
  await keepsNotesPrivate(page, bot.id, ada);
  await undoesTransitions(page, bot.id, grace);
  await holdsClosing(page, bot.id, grace, ada);
  await Promise.all([context.close(), ada.leave(), grace.leave()]);
}

const startWaiting = async (botId: string, user: EndUser, text: string) => {
  await user.say(text);
  await call('POST', '/chat/handoffs', { conversationId: user.id }, { botId });
};

const latestHandoff = async (botId: string, { id }: EndUser) => {
  const { handoffs } = await call('GET', `/chat/handoffs?conversationId=${id}`, undefined, { botId });
  return handoffs[0] as { id: string; status: string; member?: { name: string } };
};

async function openConversation(page: Page, botId: string, { id }: EndUser, view = 'open'): Promise<void> {
  await page.goto(`${CONSOLE}#/inbox/${botId}/${id}?bot=${botId}&view=${view}`);
  await page.locator(`[data-open-conversation="${id}"] [data-message]`).first().waitFor();
}

async function keepsNotesPrivate(page: Page, botId: string, ada: EndUser): Promise<void> {
  await startWaiting(botId, ada, 'Where is my refund?');
  await openConversation(page, botId, ada);
  await button(page, 'Take over').click();
  await page.getByText('Assigned to you').first().waitFor();
  await button(page, 'Note').click();
  await page.keyboard.type('refund order');
  assert.equal(await field(page, 'Note').inputValue(), 'refund order');
  await button(page, 'Add note').waitFor();
  await page.keyboard.press('Enter');
  await page.locator('[data-note][data-message]', { hasText: 'refund order' }).waitFor();
  // The note is shown before it was sent.
  await until(async () => {
    const { notes } = await call('GET', `/chat/conversations/${ada.id}/notes`, undefined, { botId });
    return notes.some(({ text }: { text: string }) => text === 'refund order');
  });
  assert.equal(JSON.stringify([ada.heard, await ada.listMessages()]).includes('order'), false);
  assert.equal((await latestHandoff(botId, ada)).status, 'served');
  done('adds a note that was typed right after a click on Note, and sends the customer nothing');

  await page.keyboard.press('Shift+Tab');
  await button(page, 'Note').focus();
  await page.keyboard.type('er');
  await field(page, 'Note').waitFor();
  assert.equal((await latestHandoff(botId, ada)).status, 'served');
  assert.equal(await page.getByText('Resolving', { exact: true }).count(), 0);
  await page.keyboard.press('Escape');
  await page.keyboard.press('r');
  await field(page, 'Reply').waitFor();
  await page.keyboard.type('n is typed here');
  await button(page, 'Send reply').waitFor();
  await button(page, 'Note').click();
  await button(page, 'Add note').waitFor();
  assert.equal(await field(page, 'Note').inputValue(), '');
  await page.keyboard.type('Do not tell the customer');
  await page.reload();
  assert.equal(await field(page, 'Note').inputValue(), 'Do not tell the customer');
  await button(page, 'Reply').click();
  assert.equal(await field(page, 'Reply').inputValue(), 'n is typed here');
  await field(page, 'Reply').fill('');
  await button(page, 'Note').click();
  assert.equal(await field(page, 'Note').inputValue(), 'Do not tell the customer');
  await field(page, 'Note').fill('');
  done('keeps letters in the composer, and the reply and the note apart, also after a reload');
}

async function undoesTransitions(page: Page, botId: string, grace: EndUser): Promise<void> {
  await startWaiting(botId, grace, 'Can I pay by invoice?');
  await openConversation(page, botId, grace);
  await button(page, 'Note').click();
  await page.keyboard.type('half a note');
  await button(page, 'Take over').click();
  await button(page, 'Undo').waitFor();
  assert.equal((await latestHandoff(botId, grace)).status, 'served');
  assert.equal(await field(page, 'Note').inputValue(), 'half a note');
  await button(page, 'Undo').click();
  await page.getByText('Waiting for an agent').first().waitFor();
  assert.equal((await latestHandoff(botId, grace)).status, 'waiting');
  assert.equal(await field(page, 'Note').inputValue(), 'half a note');
  await until(() => page.evaluate<boolean>('document.activeElement?.dataset?.action === "take"'));
  done('undoes a takeover: the conversation is queued, the note and the focus are as before');

  await field(page, 'Note').fill('');
  await page.keyboard.press('Escape');
  await page.keyboard.press('t');
  await page.getByText('Assigned to you').first().waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('a');
  await page.getByRole('option', { name: 'Return to queue' }).click();
  await page.getByRole('status').getByText('Returned to the queue').waitFor();
  await page.keyboard.press('z');
  await until(async () => (await latestHandoff(botId, grace)).member?.name === 'Olivia');
  done('undoes a return to the queue by keyboard: the conversation has its former assignee');

  await page.keyboard.press('a');
  await page.getByRole('option', { name: 'Return to queue' }).click();
  await page.getByRole('status').getByText('Returned to the queue').waitFor();
  await call('POST', `/chat/handoffs/${(await latestHandoff(botId, grace)).id}/end`, {}, { botId });
  await button(page, 'Undo').click();
  await page.getByText('Olivia has already closed this conversation').waitFor();
  done('explains why an action can no longer be undone');
}

/** Lets the page's time pass in short steps. */
async function stepUntil(page: Page, isDone: () => Promise<boolean>): Promise<void> {
  await until(async () => {
    if (await isDone()) return true;
    await page.clock.runFor(20);
    return isDone();
  });
}

async function holdsClosing(page: Page, botId: string, grace: EndUser, ada: EndUser): Promise<void> {
  await startWaiting(botId, grace, 'One more question');
  await openConversation(page, botId, grace);
  await button(page, 'Take over').click();
  await page.keyboard.type('half a sentence');
  await page.getByText('Assigned to you').first().waitFor();
  // The notice of the assignment can precede the response, after which the page offers to undo it.
  await button(page, 'Undo').waitFor();
  await page.keyboard.press('Escape');
  // The five seconds are those of the page, however slow the machine is.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 1_000);
  const closing = page.getByText('Resolving', { exact: true });
  await page.keyboard.press('e');
  await stepUntil(page, async () => (await button(page, 'Undo').isVisible()) && (await closing.isVisible()));
  assert.equal((await latestHandoff(botId, grace)).status, 'served');
  await page.keyboard.press('z');
  await stepUntil(page, async () => !(await closing.isVisible()));
  await page.clock.resume();
  assert.equal(await field(page, 'Reply').inputValue(), 'half a sentence');
  assert.equal((await latestHandoff(botId, grace)).status, 'served');
  done('holds a closing back, and undoes it without a call');

  const endings: string[] = [];
  page.on('request', request => {
    if (/\/end$/.test(request.url())) endings.push(request.url());
  });
  await page
    .getByRole('region', { name: 'Conversation', exact: true })
    .getByRole('button', { name: 'Resolve' })
    .click();
  await button(page, 'Undo').waitFor();
  await openConversation(page, botId, ada);
  await page.keyboard.press('Escape');
  await page.keyboard.press('e');
  await until(async () => (await latestHandoff(botId, grace)).status === 'closed');
  assert.equal((await latestHandoff(botId, ada)).status, 'served');
  assert.equal(endings.length, 1);
  done('sends a held closing when another conversation is closed');

  await page.reload();
  await until(async () => (await latestHandoff(botId, ada)).status === 'closed');
  await page.getByText('Olivia resolved the conversation').first().waitFor();
  await until(async () => (await page.evaluate<string | null>('sessionStorage["parley-console-closing"]')) == null);
  const { handoffs } = await call('GET', `/chat/handoffs?conversationId=${ada.id}`, undefined, { botId });
  assert.equal(handoffs.length, 1);
  done('sends a held closing when the page is reloaded, and shows it');
}

/** Outcomes, snoozes, actions on several conversations, saved replies, mentions and transcripts of the inbox. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { type EndUser, newEndUser } from './endUser.ts';
import { adminClient, botClient, CONSOLE, call, done, local, newContext, signedIn, until } from './stage.ts';

/** Folder for pictures of the pages. None are taken by default. */
const PICTURES = process.env.HANDLING_PICTURES;

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const view = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Views' }).getByText(name, { exact: true });
const row = (page: Page, { id }: EndUser) => page.locator(`a[data-conversation="${id}"]`);

interface Scene {
  page: Page;
  botId: string;
  people: [EndUser, EndUser, EndUser];
}

export async function testHandling(browser: Browser): Promise<void> {
  const { bot } = await adminClient().createBot({ name: `Handling ${Date.now().toString(36)}` });
  await adminClient().updateBot({
    id: bot.id,
    integrations: { chat: { integrationId: local.integrationId, enabled: true } },
  });
  await call('PUT', '/admin/account/me', { displayName: 'Olivia' });
  const people = [
    await newEndUser(bot.id, 'Ada'),
    await newEndUser(bot.id, 'Grace'),
    await newEndUser(bot.id, 'Alan'),
  ] satisfies Scene['people'];
  const context = await newContext(browser);
  const scene = { page: await signedIn(context), botId: bot.id, people };
  await resolves(scene);
  await snoozes(scene);
  await prioritizes(scene);
  await handlesSeveral(scene);
  await fillsVariables(scene);
  await mentions(scene, browser);
  await exportsTranscript(scene);
  await Promise.all([context.close(), ...people.map(each => each.leave())]);
}

async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  const light = page.viewportSize()!;
  await page.screenshot({ path: `${PICTURES}/${name}.png` });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.screenshot({ path: `${PICTURES}/${name}-dark.png` });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 390, height: 844 });
  // The sidebar slides out.
  await page.waitForTimeout(500);
  await page.screenshot({ path: `${PICTURES}/${name}-phone.png` });
  await page.setViewportSize(light);
}

async function startWaiting({ botId }: Scene, user: EndUser, text: string): Promise<void> {
  await user.say(text);
  await call('POST', '/chat/handoffs', { conversationId: user.id }, { botId });
}

const latestHandoff = async (botId: string, { id }: EndUser) => {
  const { handoffs } = await call('GET', `/chat/handoffs?conversationId=${id}`, undefined, { botId });
  return handoffs[0] as {
    id: string;
    status: string;
    outcome?: string;
    priority: string;
    snoozedUntil?: string;
    isUnread: boolean;
  };
};

async function openConversation({ page, botId }: Scene, { id }: EndUser, inView = 'open'): Promise<void> {
  await page.goto(`${CONSOLE}#/inbox/${botId}/${id}?bot=${botId}&view=${inView}`);
  await page.locator(`[data-open-conversation="${id}"] [data-message]`).first().waitFor();
}

async function resolves(scene: Scene): Promise<void> {
  const { page, botId, people } = scene;
  const [ada, grace] = people;
  await startWaiting(scene, ada, 'My parcel is late');
  await startWaiting(scene, grace, 'Can I pay later?');
  await openConversation(scene, ada);
  await button(page, 'Resolve').waitFor();
  await picture(page, 'open');
  await page.keyboard.press('e');
  await page.getByRole('status').getByText('Resolving this conversation').waitFor();
  await page.keyboard.press('z');
  assert.equal((await latestHandoff(botId, ada)).status, 'waiting');
  await button(page, 'Resolve').click();
  await openConversation(scene, grace);
  await button(page, 'Hand back').waitFor();
  await page.keyboard.press('b');
  await until(async () => (await latestHandoff(botId, grace)).outcome === 'handedBack');
  assert.equal((await latestHandoff(botId, ada)).outcome, 'resolved');
  await page.getByText('Olivia handed back to the bot').first().waitFor();
  await view(page, 'Closed').click();
  await row(page, ada).getByText('Olivia resolved the conversation').waitFor();
  await row(page, grace).getByText('Olivia handed back to the bot').waitFor();
  await picture(page, 'closed');
  done('resolves a conversation and hands another back, with Undo, and shows the outcomes');
}

async function snoozes(scene: Scene): Promise<void> {
  const { page, botId, people } = scene;
  const [ada, grace] = people;
  await startWaiting(scene, ada, 'It is me again');
  await startWaiting(scene, grace, 'One more thing');
  await openConversation(scene, ada);
  // Also if the page still shows the former handoff, which has ended.
  await button(page, 'Take over').click();
  await page.getByText('Assigned to you').first().waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('s');
  await page.getByRole('menuitem', { name: /^Tomorrow/ }).waitFor();
  await picture(page, 'snooze-menu');
  await page.getByRole('menuitem', { name: /^Tomorrow/ }).click();
  await page.getByText(/^Assigned to you, snoozed until/).waitFor();
  const until9 = new Date((await latestHandoff(botId, ada)).snoozedUntil!);
  assert.deepEqual([await page.evaluate(`new Date(${until9.getTime()}).getHours()`), until9.getMinutes()], [9, 0]);
  await page.getByText(/^Olivia snoozed the conversation until/).waitFor();
  await view(page, 'Snoozed').click();
  await row(page, ada).getByLabel('Snoozed').waitFor();
  await picture(page, 'snoozed');
  await button(page, 'Undo').click();
  await page.getByText('Assigned to you', { exact: true }).first().waitFor();
  assert.equal((await latestHandoff(botId, ada)).snoozedUntil, undefined);
  done('snoozes a conversation until tomorrow at nine, lists it, and undoes it');

  await page.keyboard.press('s');
  await page.getByRole('menuitem', { name: 'Choose date and time …' }).click();
  const field = page.getByLabel('Until');
  await field.fill('2001-01-01T09:00');
  await page.getByRole('dialog').getByRole('button', { name: 'Snooze' }).click();
  await page.getByRole('dialog').getByText('At least a minute, and at most 90 days from now.').nth(1).waitFor();
  await field.fill(new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 16));
  await picture(page, 'snooze-custom');
  await page.getByRole('dialog').getByRole('button', { name: 'Snooze' }).click();
  await until(async () => (await latestHandoff(botId, ada)).snoozedUntil);
  await openConversation(scene, grace, 'mine');
  await ada.say('Have you found it?');
  await until(async () => (await latestHandoff(botId, ada)).isUnread);
  await row(page, ada).getByLabel('Unread').waitFor();
  assert.equal((await latestHandoff(botId, ada)).snoozedUntil, undefined);
  done('refuses a time in the past, and brings a conversation back when its customer writes');
}

async function prioritizes(scene: Scene): Promise<void> {
  const { page, botId, people } = scene;
  const [, grace, alan] = people;
  await startWaiting(scene, alan, 'My payment failed');
  const queue = () =>
    page.locator('a[data-conversation]').evaluateAll(rows => rows.map(row => row.dataset.conversation));
  await view(page, 'Waiting').click();
  await until(async () => (await queue()).join() === [grace.id, alan.id].join());
  await row(page, alan).click();
  await page.locator('[data-message]', { hasText: 'My payment failed' }).waitFor();
  await page.locator('[data-action=priority]').waitFor();
  await page.keyboard.press('p');
  await page.getByRole('menuitem', { name: 'Urgent' }).waitFor();
  await picture(page, 'priority-menu');
  await page.getByRole('menuitem', { name: 'Urgent' }).click();
  await row(page, alan).getByText('Urgent', { exact: true }).waitFor();
  await until(async () => (await queue()).join() === [alan.id, grace.id].join());
  await picture(page, 'priority');
  assert.equal((await latestHandoff(botId, alan)).priority, 'urgent');
  await call('POST', `/chat/handoffs/${(await latestHandoff(botId, alan)).id}/end`, {}, { botId });
  done('moves an urgent conversation to the top of the queue');
}

async function handlesSeveral(scene: Scene): Promise<void> {
  const { page, botId, people } = scene;
  const [ada, grace, alan] = people;
  await startWaiting(scene, alan, 'Where are you?');
  await page.goto(`${CONSOLE}#/inbox?bot=${botId}&view=open`);
  for (const each of people) await row(page, each).waitFor();
  const boxes = page.getByRole('checkbox', { name: /^Select (Ada|Grace|Alan)$/ });
  assert.equal(await boxes.count(), 3);
  await boxes.first().focus();
  await page.keyboard.press('Space');
  await page.getByText('1 selected').waitFor();
  await boxes.last().click({ modifiers: ['Shift'] });
  await page.getByText('3 selected').waitFor();
  await picture(page, 'bulk');
  await page.getByRole('toolbar').getByRole('button', { name: 'Assign' }).click();
  await page.getByRole('option', { name: /Olivia/ }).click();
  await page.getByText('3 conversations assigned').waitFor();
  for (const each of people) await until(async () => (await latestHandoff(botId, each)).status === 'served');
  await page.keyboard.press('z');
  await until(async () => (await latestHandoff(botId, alan)).status === 'waiting');
  assert.equal((await latestHandoff(botId, ada)).status, 'served');
  done('selects a range by keyboard and Shift, assigns several conversations, and undoes it');

  await openConversation(scene, grace);
  await page.keyboard.press('x');
  await page.getByText('1 selected').waitFor();
  await page.getByRole('checkbox', { name: 'Select all loaded conversations' }).check();
  await page.getByText('3 selected').waitFor();
  await page.getByRole('toolbar').getByRole('button', { name: 'Snooze' }).click();
  await page.getByRole('menuitem', { name: /^Next Monday/ }).click();
  for (const each of people) await until(async () => (await latestHandoff(botId, each)).snoozedUntil);
  await view(page, 'Snoozed').click();
  await row(page, alan).waitFor();
  await button(page, 'Select conversations').click();
  await page.getByRole('checkbox', { name: 'Select Ada' }).check();
  await page.getByRole('checkbox', { name: 'Select Alan' }).check();
  // Another member is faster.
  await call('POST', `/chat/handoffs/${(await latestHandoff(botId, alan)).id}/assign`, {}, { botId });
  await page.getByRole('toolbar').getByRole('button', { name: 'Resolve' }).click();
  await page.getByText('Resolving 2 conversations').or(page.getByText('Resolving 1 conversation ')).first().waitFor();
  await until(async () => (await latestHandoff(botId, ada)).outcome === 'resolved');
  done('selects all loaded conversations, snoozes them, and resolves several');
}

async function fillsVariables(scene: Scene): Promise<void> {
  const { page, botId, people } = scene;
  const [ada] = people;
  await page.goto(`${CONSOLE}#/bots/${botId}/replies`);
  await button(page, 'New saved reply').first().click();
  await page.getByLabel('Name', { exact: true }).fill('welcome');
  await page.getByLabel('Text', { exact: true }).fill('Hello ');
  await button(page, 'First name of the customer').click();
  await page.getByRole('dialog').getByText('Hello Ada', { exact: true }).waitFor();
  await picture(page, 'reply');
  await button(page, 'Save').click();
  await page.getByRole('cell', { name: 'All bots' }).waitFor();
  const { conversation } = await adminBotConversation(botId);
  await call('POST', '/chat/handoffs', { conversationId: conversation.id }, { botId });
  await page.goto(`${CONSOLE}#/inbox/${botId}/${conversation.id}?bot=${botId}&view=open`);
  await page.getByLabel('Reply text').fill('/welc');
  await page.getByLabel('Reply text').press('End');
  await page.keyboard.type('o');
  await page.keyboard.press('Backspace');
  await button(page, 'Saved replies').click();
  await page
    .getByRole('option', { name: /welcome/ })
    .first()
    .click();
  await page.getByText('Fill in or remove before sending:').waitFor();
  assert.equal(await button(page, 'Take over and send reply').isDisabled(), true);
  await picture(page, 'placeholder');
  await page.getByLabel('Reply text').fill('Hello friend');
  assert.equal(await button(page, 'Take over and send reply').isDisabled(), false);
  await page.getByLabel('Reply text').fill('');
  await startWaiting(scene, ada, 'Are you there?');
  await openConversation(scene, ada);
  await button(page, 'Saved replies').click();
  await page
    .getByRole('option', { name: /welcome/ })
    .first()
    .click();
  await until(async () => (await page.getByLabel('Reply text').inputValue()) === 'Hello Ada');
  await page.getByLabel('Reply text').fill('');
  done('creates a reply for all bots, fills its variable, and blocks one without a value');
}

const adminBotConversation = (botId: string) => botClient(botId).createConversation({ channel: 'channel', tags: {} });

/** A colleague is mentioned in another browser, notified without a reload, and reads the note. */
async function mentions(scene: Scene, browser: Browser): Promise<void> {
  const { page, people } = scene;
  const [ada] = people;
  const name = `Colleague ${Date.now().toString(36)}`;
  const context = await newContext(browser);
  const colleague = await signedIn(context, await newAgentToken(name), 'Inbox');
  const count = view(colleague, 'Mentions').locator('xpath=..').getByText('1', { exact: true });
  assert.equal(await count.count(), 0);

  await openConversation(scene, ada);
  await button(page, 'Note').click();
  // The colleague joined after the page had read the team.
  await page.reload();
  await button(page, 'Note').click();
  await page.keyboard.type(`Please look @${name.slice(0, 12)}`);
  await page.getByRole('listbox', { name: 'Members' }).getByRole('option', { name }).waitFor();
  await picture(page, 'mention');
  await page.keyboard.press('Enter');
  await page.keyboard.type('today');
  await page.keyboard.press('Enter');
  await page.locator('mark', { hasText: `@${name}` }).waitFor();
  done('offers members after @ in a note, and highlights the mention');

  await count.waitFor();
  await view(colleague, 'Mentions').click();
  const mention = colleague.locator('a[data-mention]');
  await mention.getByLabel('Unread').waitFor();
  await mention.click();
  await colleague.locator('mark', { hasText: `@${name}` }).waitFor();
  await mention.getByLabel('Unread').waitFor({ state: 'detached' });
  await picture(colleague, 'mentions');
  await context.close();
  done('notifies the mentioned member in another browser, and marks the mention as read when it is opened');
}

/** Invites a member with the role agent, who accepts. */
async function newAgentToken(displayName: string): Promise<string> {
  const email = `${displayName.replaceAll(' ', '-').toLowerCase()}@example.com`;
  const { inviteToken } = await call('POST', '/admin/workspace-members', { email, role: 'agent' });
  return (await call('POST', '/admin/invitations/accept', { inviteToken, displayName })).token;
}

async function exportsTranscript(scene: Scene): Promise<void> {
  const { page, people } = scene;
  const [ada] = people;
  await openConversation(scene, ada);
  for (const [format, text] of [
    ['As text', 'My parcel is late'],
    ['As HTML', '<!doctype html>'],
    ['As JSON', '"conversationId"'],
  ] as const) {
    await button(page, 'Download transcript').click();
    if (format === 'As text') await page.getByRole('menuitemcheckbox', { name: 'Include private notes' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: format }).click(),
    ]);
    assert.match(download.suggestedFilename(), /^Ada \d{4}-\d\d-\d\d\.(txt|html|json)$/);
    const content = readFileSync(await download.path(), 'utf8');
    assert.ok(content.includes(text), content);
    assert.ok(content.includes('Please look'), content);
  }
  done('downloads a transcript as text, HTML and JSON, with notes');
}

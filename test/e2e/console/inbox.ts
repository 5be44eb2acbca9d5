/**
 * The inbox: two members take over concurrently, reply, write notes and insert saved replies, retry what failed, and
 * close. An end user sees the replies in the official chat client.
 */
import assert from 'node:assert/strict';
import { Client } from '@botpress/client';
import type { Browser, Page } from 'playwright-core';
import { startEndpoint } from '#test/support/endpoint.ts';
import { checkLooks } from './accessibility.ts';
import { type EndUser, newEndUser } from './endUser.ts';
import { testInboxRequests } from './inboxRequests.ts';
import { adminClient, botClient, CONSOLE, call, done, local, newContext, open, signedIn, until } from './stage.ts';

const unique = () => Date.now().toString(36);
/** Earlier runs left their members in the workspace. */
const BEN = `Ben ${unique()}`;
const item = (page: Page, name: string) => page.locator('a[data-conversation]', { hasText: name });
const messages = (page: Page, text: string) => page.locator('[data-message]', { hasText: text });
const reply = (page: Page) => page.getByLabel('Reply text');

export async function testInbox(browser: Browser): Promise<void> {
  const { bot } = await adminClient().createBot({ name: `Bot of the inbox ${unique()}` });
  const botId = bot.id;
  await adminClient().updateBot({
    id: botId,
    integrations: { chat: { integrationId: local.integrationId, enabled: true } },
  });
  await call('PUT', '/admin/account/me', { displayName: 'Olivia' });
  const ben = await newAgent(BEN);
  const [ada, grace] = [await newEndUser(botId, 'Ada'), await newEndUser(botId, 'Grace')];

  const [desk, other] = [await newContext(browser), await newContext(browser)];
  const olivia = await signedIn(desk);
  await open(olivia, `/inbox?bot=${botId}`, 'Inbox');
  await olivia.getByText('Nobody is waiting').waitFor();
  await ada.say('Where is my parcel?');
  await call('POST', '/chat/handoffs', { conversationId: ada.id, reason: 'Late parcel' }, { botId });
  await item(olivia, 'Ada').getByText('Late parcel').waitFor();
  await olivia.getByRole('link', { name: 'Waiting 1' }).waitFor();
  done('shows a waiting conversation with its reason, live, and counts it');

  const benPage = await seesLess(await signedInAsAgent(other, ben), botId);
  await takeOverConcurrently(olivia, benPage, ada);
  await answer(olivia, botId, ada);
  await typeDuringTakeOver(olivia, benPage, botId, ada);
  await keepNotesInside(olivia, benPage, ada);
  await insertSavedReply(olivia, botId, ada);
  await survivesTheNetwork(olivia, ada);
  await keepsDrafts(olivia, botId, ada, grace);
  await assignAndClose(olivia, benPage, botId, ada);
  await retryFailed(olivia, botId);
  await findText(olivia, botId, ada);
  await Promise.all([desk.close(), other.close(), ada.leave(), grace.leave()]);
  await testInboxRequests(browser);
  await looks(browser, botId, ada);
}

/** Invites a member and accepts the invitation. @returns their token */
export async function newAgent(displayName: string, role = 'agent'): Promise<string> {
  const { inviteToken } = await call('POST', '/admin/workspace-members', {
    email: `agent-${unique()}@example.com`,
    role,
  });
  const { token } = await call('POST', '/admin/invitations/accept', { inviteToken, displayName });
  return token;
}

const signedInAsAgent = async (context: Awaited<ReturnType<typeof newContext>>, token: string) =>
  signedIn(context, token, 'Inbox');

/** @returns the agent's page, in the inbox */
async function seesLess(page: Page, botId: string): Promise<Page> {
  const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
  await page.goto(`${CONSOLE}#/inbox?bot=${botId}`);
  await page.getByRole('heading', { name: 'Inbox', exact: true, level: 1 }).waitFor();
  await page.getByRole('link', { name: /^Inbox/ }).waitFor();
  assert.equal(await links.count(), 1);
  for (const path of ['/members', '/audit', `/bots/${botId}`, `/bots/${botId}/tables`]) {
    await page.goto(`${CONSOLE}#${path}`);
    await page.getByText('Your role does not allow this').waitFor();
  }
  await page.getByRole('link', { name: 'Open the inbox' }).click();
  await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
  done('shows agents the inbox and saved replies, and rejects other pages by their URL');
  return page;
}

/** Both click before either page can show the other's action. */
async function takeOverConcurrently(olivia: Page, ben: Page, ada: EndUser): Promise<void> {
  for (const page of [olivia, ben]) {
    await item(page, 'Ada').click();
    await messages(page, 'Where is my parcel?').waitFor();
  }
  const takeOver = (page: Page) => page.getByRole('button', { name: 'Take over', exact: true }).click();
  await Promise.all([takeOver(olivia), takeOver(ben)]);
  const mine = (page: Page) => page.getByText('Assigned to you', { exact: true }).first();
  await Promise.any([mine(olivia).waitFor(), mine(ben).waitFor()]);
  const [winner, loser, name] = (await mine(olivia).isVisible()) ? [olivia, ben, 'Olivia'] : [ben, olivia, BEN];
  await loser.getByRole('alert').getByText(`${name} took this conversation first`).waitFor();
  await loser.getByText(`Assigned to ${name}`, { exact: true }).waitFor();
  assert.equal(await reply(loser).isDisabled(), true);
  assert.equal(await reply(winner).isEnabled(), true);
  done('lets one of two concurrent members take over, and names that member to the other');

  if (winner === ben) {
    await takeOver(olivia);
    await mine(olivia).waitFor();
    await ben.getByText('Assigned to Olivia', { exact: true }).waitFor();
  }
  assert.equal(
    (await ada.listParticipants()).some(each => each.name === 'Olivia'),
    true,
  );
}

async function answer(page: Page, botId: string, ada: EndUser): Promise<void> {
  const typing = page.waitForRequest(/\/typing$/);
  await page.keyboard.press('Escape');
  await page.keyboard.press('r');
  await page.keyboard.type('It left our house this morning.');
  await typing;
  await page.keyboard.press('Enter');
  await messages(page, 'It left our house this morning.').waitFor();
  await until(async () => ada.heard.some(message => message.includes('this morning')));
  const message = (await ada.listMessages()).find(
    ({ payload }) => 'text' in payload && /this morning/.test(payload.text),
  );
  const author = (await ada.listParticipants()).find(({ id }) => id === message?.userId);
  assert.equal(author?.name, 'Olivia');
  await page.locator('[data-group]', { hasText: 'this morning' }).getByText('Olivia').first().waitFor();
  done('sends a reply to the official chat client under the name of the member');

  await page.getByRole('link', { name: 'Closed', exact: true }).click();
  await page.goto(`${CONSOLE}#/inbox?bot=${botId}&view=mine`);
  await item(page, 'Ada').waitFor();
  await ada.say('Thank you, and when will it be here?');
  await item(page, 'Ada').getByRole('img', { name: 'Unread' }).waitFor();
  await page.getByRole('link', { name: 'Unread 1' }).waitFor();
  await page.keyboard.press('j');
  await messages(page, 'when will it be here').waitFor();
  await page.getByRole('link', { name: 'Unread 0' }).waitFor();
  done('marks a conversation with a new message as unread until it is opened');
}

/** An agent types the key of an action, without a pause, while a colleague takes the conversation over. */
async function typeDuringTakeOver(olivia: Page, ben: Page, botId: string, ada: EndUser): Promise<void> {
  await reply(olivia).focus();
  const taken = ben.getByRole('button', { name: 'Take over', exact: true }).click();
  while (await reply(olivia).isEnabled()) await olivia.keyboard.type('e');
  for (let i = 0; i < 10; i++) await olivia.keyboard.type('e', { delay: 50 });
  await taken;
  await olivia.getByText(`Assigned to ${BEN}`, { exact: true }).first().waitFor();
  assert.match(await reply(olivia).inputValue(), /^e+$/);
  assert.equal(
    await olivia
      .getByRole('status')
      .getByText(/^(Closing|Resolving)/)
      .count(),
    0,
  );
  const { handoffs } = await call('GET', `/chat/handoffs?conversationId=${ada.id}`, undefined, { botId });
  assert.equal(handoffs[0].status, 'served');
  done('ignores letters that were meant for a reply when a colleague takes the conversation over');

  let release: () => void = () => {};
  const isReleased = new Promise<void>(resolve => {
    release = resolve;
  });
  await olivia.route('**/assign', async route => {
    await isReleased;
    await route.continue();
  });
  await olivia.getByRole('button', { name: 'Take over', exact: true }).click();
  await olivia.getByRole('button', { name: 'Note', exact: true }).click();
  release();
  await olivia.getByText('Assigned to you', { exact: true }).first().waitFor();
  // The page focuses the composer when the action has ended.
  await olivia.waitForTimeout(500);
  assert.equal(await olivia.getByLabel('Note text').isVisible(), true);
  await olivia.unroute('**/assign');
  await olivia.getByRole('button', { name: 'Reply', exact: true }).click();
  await reply(olivia).fill('');
  done('keeps the mode that the agent chose while a take-over was under way');
}

async function keepNotesInside(page: Page, ben: Page, ada: EndUser): Promise<void> {
  await page.locator('main').focus();
  await page.keyboard.press('n');
  await page.keyboard.type('A reseller, see the contract.');
  await page.keyboard.press('Enter');
  const note = page.locator('[data-note]', { hasText: 'A reseller' });
  await note.waitFor();
  await page.getByText('Private note').waitFor();
  await ben.locator('[data-note]', { hasText: 'A reseller' }).waitFor();
  await page.getByRole('button', { name: 'Reply', exact: true }).click();
  await reply(page).fill('Tomorrow before noon.');
  await page.keyboard.press('Enter');
  await until(async () => ada.heard.some(message => message.includes('before noon')));
  assert.equal(JSON.stringify([ada.heard, await ada.listMessages()]).includes('reseller'), false);
  done('shows notes to members only');
}

async function insertSavedReply(page: Page, botId: string, ada: EndUser): Promise<void> {
  await open(page, `/bots/${botId}/replies`, 'Saved replies');
  await page.getByText('No saved replies yet').waitFor();
  await page.getByRole('button', { name: 'New saved reply' }).first().click();
  await page.getByRole('dialog').getByLabel('Name').fill('tracking');
  await page.getByRole('dialog').getByLabel('Text', { exact: true }).fill('Follow your parcel on our page.');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: /tracking/ }).waitFor();
  await page.goto(`${CONSOLE}#/inbox?bot=${botId}&view=mine`);
  await item(page, 'Ada').click();
  await reply(page).fill('By the way: ');
  await reply(page).pressSequentially('/tra');
  await page.getByRole('option', { name: /tracking/ }).waitFor();
  await page.keyboard.press('Enter');
  assert.equal(await reply(page).inputValue(), 'By the way: Follow your parcel on our page.');
  await page.keyboard.press('Enter');
  await until(async () => ada.heard.some(message => message.includes('By the way: Follow')));
  done('saves a reply and inserts it with a slash');

  await reply(page).fill('');
  await reply(page).pressSequentially('/absent');
  await page.getByText('No saved reply matches.').waitFor();
  await page.keyboard.press('Enter');
  assert.equal(await reply(page).inputValue(), '/absent');
  assert.equal(await messages(page, '/absent').count(), 0);
  await page.keyboard.press('Escape');
  assert.equal(await reply(page).inputValue(), '/absent');
  await reply(page).fill('Dear Ada');
  await page.getByRole('button', { name: 'Saved replies', exact: true }).click();
  await page.getByRole('option', { name: /tracking/ }).waitFor();
  assert.equal(await reply(page).inputValue(), 'Dear Ada /');
  await page.keyboard.press('Escape');
  await page.getByRole('option', { name: /tracking/ }).waitFor({ state: 'detached' });
  assert.match(await reply(page).inputValue(), /^Dear Ada ?$/);
  await reply(page).fill('');
  done('does not send the name of a reply that does not exist, and removes the slash of the button with Escape');
}

/** A reply sent while offline stays visible and is resent with the same key, so the end user receives it once. */
async function survivesTheNetwork(page: Page, ada: EndUser): Promise<void> {
  await page.context().setOffline(true);
  await page.getByRole('status').getByText('You are offline.').waitFor();
  await reply(page).fill('Written in a tunnel.');
  await page.keyboard.press('Enter');
  await messages(page, 'Written in a tunnel.').getByText('Not sent').waitFor();
  await page.context().setOffline(false);
  await page.getByText('You are offline.').waitFor({ state: 'detached' });
  await page.reload();
  await messages(page, 'Written in a tunnel.').getByText('Not sent').waitFor();
  await messages(page, 'Written in a tunnel.').getByRole('button', { name: 'Send again' }).click();
  await until(async () => ada.heard.some(message => message.includes('tunnel')));
  await messages(page, 'Written in a tunnel.').getByText('Sending').waitFor({ state: 'detached' });
  assert.equal(await messages(page, 'Written in a tunnel.').count(), 1);
  assert.equal((await ada.listMessages()).filter(each => JSON.stringify(each).includes('tunnel')).length, 1);
  done('shows a failed reply, also after a reload, and sends it again without a duplicate');
}

async function keepsDrafts(page: Page, botId: string, ada: EndUser, grace: EndUser): Promise<void> {
  await grace.say('Can I pay by invoice?');
  await call('POST', '/chat/handoffs', { conversationId: grace.id }, { botId });
  await page.goto(`${CONSOLE}#/inbox?bot=${botId}&view=open`);
  await item(page, 'Ada').click();
  await reply(page).fill('Half a sen');
  await item(page, 'Grace').click();
  await messages(page, 'Can I pay by invoice?').waitFor();
  assert.equal(await reply(page).inputValue(), '');
  await item(page, 'Ada').getByText('Draft:').waitFor();
  await page.reload();
  await item(page, 'Ada').click();
  await page.locator(`[data-open-conversation="${ada.id}"]`).waitFor();
  assert.equal(await reply(page).inputValue(), 'Half a sen');
  await reply(page).fill('');
  done('keeps a draft with its conversation, also after a reload');
}

async function assignAndClose(page: Page, ben: Page, botId: string, ada: EndUser): Promise<void> {
  await page.keyboard.press('Escape');
  await item(page, 'Ada').getByText('You:').waitFor();
  await page.keyboard.press('a');
  await page.getByLabel('Search agents').fill(BEN);
  await page.getByRole('option', { name: BEN }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText(`Assigned to ${BEN}`, { exact: true }).first().waitFor();
  await ben.getByText('Assigned to you', { exact: true }).first().waitFor();
  for (const each of [page, ben]) {
    await each.getByRole('log').getByText(`Olivia assigned the conversation to ${BEN}`).waitFor();
    await item(each, 'Ada').getByText('Agent:').waitFor();
  }
  done('names who assigned a conversation, and does not ascribe earlier replies to the new agent');

  await ben.locator('main').focus();
  await ben.keyboard.press('e');
  await ben.getByText(`${BEN} resolved the conversation`).first().waitFor();
  await page.getByText(`${BEN} resolved the conversation`).first().waitFor();
  await page.getByRole('log').getByText(`${BEN} resolved the conversation`).waitFor();
  await page.getByRole('link', { name: 'Closed', exact: true }).click();
  await item(page, 'Ada').waitFor();
  done('assigns a conversation to another member, who closes it by keyboard');

  await page.goto(`${CONSOLE}#/inbox?bot=${botId}&view=waiting`);
  await item(page, 'Grace').waitFor();
  await page.keyboard.press('j');
  await messages(page, 'Can I pay by invoice?').waitFor();
  await page.keyboard.press('r');
  await page.keyboard.type('Yes, for 30 days.');
  await page.keyboard.press('Enter');
  await page.getByText('Assigned to you', { exact: true }).first().waitFor();
  await messages(page, 'Yes, for 30 days.').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByLabel('Search pages, bots and actions').fill('Hand back');
  await page.keyboard.press('Enter');
  await page.getByText('Olivia handed back to the bot').first().waitFor();
  done('takes over a waiting conversation with a reply, and closes it from the command palette');

  await page.getByRole('link', { name: 'All', exact: true }).click();
  await page.getByLabel('Search customers and messages').fill(ada.id);
  await item(page, 'Ada').waitFor();
  await item(page, 'Grace').waitFor({ state: 'detached' });
  await page.getByLabel('Search customers and messages').fill('grace');
  await item(page, 'Grace').waitFor();
  await item(page, 'Ada').waitFor({ state: 'detached' });
  await page.getByLabel('Search customers and messages').fill('');
  done('finds conversations by id and by name');
}

/** A message that the integration of its conversation does not accept. */
async function retryFailed(page: Page, botId: string): Promise<void> {
  let status = 400;
  const endpoint = await startEndpoint(({ operation }, response) => {
    response.writeHead(operation === 'message_created' ? status : 200);
    response.end(JSON.stringify(status === 400 ? { code: 400, type: 'Runtime', message: 'The mailbox is full' } : {}));
  });
  try {
    const admin = adminClient();
    const { integration } = await admin.createIntegration({
      name: `mail${unique()}`,
      version: '1.0.0',
      url: endpoint.url,
    });
    await admin.updateBot({
      id: botId,
      integrations: { mail: { integrationId: integration.id, enabled: true } },
    });
    const { value } = await admin.createIntegrationApiKey({ integrationId: integration.id });
    const mail = new Client({ apiUrl: local.apiUrl, token: value, botId, integrationAlias: 'mail' });
    const { conversation } = await mail.createConversation({ channel: 'channel', tags: {} });
    const { user } = await mail.createUser({ name: 'Linus', tags: {} });
    await mail.createMessage({
      conversationId: conversation.id,
      userId: user.id,
      type: 'text',
      payload: { text: 'By mail' },
      tags: {},
    });
    await call('POST', '/chat/handoffs', { conversationId: conversation.id }, { botId });
    await page.goto(`${CONSOLE}#/inbox/${botId}/${conversation.id}?bot=${botId}&view=waiting`);
    await page.getByRole('button', { name: 'Take over', exact: true }).click();
    await page.getByText('Assigned to you', { exact: true }).first().waitFor();
    await reply(page).fill('An answer by mail');
    await page.keyboard.press('Enter');
    const sent = messages(page, 'An answer by mail');
    await sent.getByText('Not delivered').waitFor();
    const { message } = await botClient(botId).getMessage({ id: (await sent.getAttribute('data-message'))! });
    await sent.getByText(message.tags.deliveryFailure!).waitFor();
    status = 200;
    await sent.getByRole('button', { name: 'Retry' }).click();
    await sent.getByText('Not delivered').waitFor({ state: 'detached' });
    await until(async () => {
      const { message: now } = await botClient(botId).getMessage({ id: message.id });
      return now.tags.deliveryFailure === undefined;
    });
  } finally {
    endpoint.stop();
  }
  done('shows why a reply was not delivered, and delivers it after a retry');
}

async function findText(page: Page, botId: string, ada: EndUser): Promise<void> {
  await page.goto(`${CONSOLE}#/inbox/${botId}/${ada.id}?bot=${botId}&view=all`);
  await messages(page, 'Where is my parcel?').waitFor();
  await page.locator('main').focus();
  await page.keyboard.press('f');
  await page.getByLabel('Find a text').fill('PARCEL');
  await page.getByText('1 of 2').waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('2 of 2').waitFor();
  await page.locator('[data-found]', { hasText: 'Where is my parcel?' }).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('[data-found]').waitFor({ state: 'detached' });
  done('finds a text within a conversation');
}

/** Runs axe on the states of the inbox, with light and dark colors, on desktop and phone. */
async function looks(browser: Browser, botId: string, ada: EndUser): Promise<void> {
  await checkLooks(browser, async (page, check) => {
    await open(page, `/inbox?bot=${botId}`, 'Inbox');
    await page.getByText('Nobody is waiting').waitFor();
    await check('an empty list');
    await open(page, `/inbox?bot=${botId}&view=closed`, 'Inbox');
    await item(page, 'Ada').waitFor();
    await check('the list');
    await page.goto(`${CONSOLE}#/inbox/${botId}/${ada.id}?bot=${botId}&view=closed`);
    await page.locator('[data-note][data-message]').waitFor();
    await check('a thread with a note');
    await reply(page).fill('/');
    await page.getByRole('option', { name: /tracking/ }).waitFor();
    await check('saved replies');
    await reply(page).fill('');
    await page.getByRole('button', { name: 'Note', exact: true }).click();
    await check('a note');
    await page.getByRole('button', { name: 'Reply', exact: true }).click();
    await page.getByRole('button', { name: 'Assign' }).click();
    await page.getByRole('option', { name: 'Olivia (you)' }).waitFor();
    await check('the choice of a member');
  });
  done('passes axe in every state, light and dark, on a desktop and a phone');
}

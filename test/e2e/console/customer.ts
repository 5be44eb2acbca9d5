/** The customer beside the conversation: their contact, labels and earlier conversations. */
import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { checkLooks } from './accessibility.ts';
import { newEndUser } from './endUser.ts';
import {
  adminClient,
  botClient,
  CONSOLE,
  call,
  done,
  local,
  newContext,
  open,
  PHONE,
  signedIn,
  storedSession,
  until,
} from './stage.ts';

/** One more than the panel shows, beside the open conversation. */
const EARLIER = 6;
/** Width of a window whose details are a drawer. */
const NARROW = 1_280;

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const section = (page: Page, name: string) =>
  page.getByRole('complementary', { name: 'Details' }).getByRole('region', { name, exact: true });
const row = (page: Page, id: string) => page.locator(`a[data-conversation="${id}"]`);

interface Stage {
  botId: string;
  /** Conversation of the customer, which waits. */
  id: string;
  userId: string;
  /** Conversation of another customer, which waits. */
  otherId: string;
  earlier: string[];
  word: string;
}

export async function testCustomer(browser: Browser): Promise<void> {
  const word = Date.now().toString(36);
  const { bot } = await adminClient().createBot({ name: `Bot of customers ${word}` });
  const botId = bot.id;
  await adminClient().updateBot({
    id: botId,
    integrations: { chat: { integrationId: local.integrationId, enabled: true } },
  });
  const [customer, other] = [await newEndUser(botId, 'visitor 17'), await newEndUser(botId, 'Somebody else')];
  const { participants } = await botClient(botId).listParticipants({ id: customer.id });
  const userId = participants.find(({ id }) => id !== botId)!.id;
  const earlier: string[] = [];
  for (let i = 1; i <= EARLIER; i++) earlier.push(await addEarlier(botId, userId, `Earlier question ${i}`));
  for (const each of [customer, other]) {
    await each.say('Where is my order?');
    await call('POST', '/chat/handoffs', { conversationId: each.id, reason: 'Order' }, { botId });
  }
  const stage = { botId, id: customer.id, userId, otherId: other.id, earlier, word };

  const context = await newContext(browser, { width: 1440, height: 900 });
  const page = await signedIn(context);
  await managesLabels(page, stage);
  await editsContact(page, stage);
  await findsByEmail(page, stage);
  await labels(page, stage);
  await filters(page, stage);
  await opensEarlier(page, stage);
  await context.close();
  await looks(browser, stage);
  await Promise.all([customer.leave(), other.leave()]);
}

async function addEarlier(botId: string, userId: string, text: string): Promise<string> {
  const client = botClient(botId);
  const { conversation } = await client.createConversation({ channel: 'channel', tags: {} });
  const { id } = conversation;
  await client.addParticipant({ id, userId });
  await client.createMessage({ conversationId: id, userId, type: 'text', payload: { text }, tags: {} });
  return id;
}

async function openConversation(page: Page, { botId }: Stage, id: string, query = 'view=waiting'): Promise<void> {
  await page.goto(`${CONSOLE}#/inbox/${botId}/${id}?bot=${botId}&${query}`);
  await page.locator(`[data-open-conversation="${id}"] [data-message]`).first().waitFor();
}

async function managesLabels(page: Page, { word }: Stage): Promise<void> {
  await open(page, '/settings', 'Workspace settings');
  const list = page.getByRole('region', { name: 'Labels' });
  for (const [name, color] of [
    [`Billing ${word}`, 'Teal'],
    [`VIP ${word}`, 'Purple'],
    [`Old ${word}`, 'Red'],
  ] as const) {
    await list.getByRole('button', { name: 'New label' }).click();
    const dialog = page.getByRole('dialog', { name: 'New label' });
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByLabel(color, { exact: true }).check();
    await page.keyboard.press('Enter');
    await list.getByText(name).waitFor();
  }
  await list.getByRole('button', { name: 'New label' }).click();
  const dialog = page.getByRole('dialog', { name: 'New label' });
  await dialog.getByLabel('Name').fill(`vip ${word}`);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('already exists').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Discard' }).getByRole('button', { name: 'Discard' }).click();
  await dialog.waitFor({ state: 'detached' });

  const item = (name: string) => list.getByRole('listitem').filter({ hasText: name });
  await item(`Old ${word}`).getByRole('button', { name: 'Edit label' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill(`Older ${word}`);
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await item(`Older ${word}`).getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await item(`Older ${word}`).waitFor({ state: 'detached' });
  done('creates, renames and deletes labels, and explains a name that is taken');
}

async function editsContact(page: Page, stage: Stage): Promise<void> {
  const { botId, id, userId, word } = stage;
  await openConversation(page, stage, id);
  const contact = section(page, 'Contact');
  await contact.getByText('No contact details yet.').waitFor();
  await button(page, 'Edit contact').click();
  await contact.getByLabel('Name').fill('Ada Lovelace');
  await contact.getByLabel('Email').fill('not an address');
  await page.keyboard.press('Enter');
  await contact.getByText('Must be an email address').waitFor();
  await contact.getByLabel('Email').fill(`ada.${word}@example.com`);
  await contact.getByLabel('Phone').fill('+44 (20) 7946-0000');
  await contact.getByLabel('About').fill('Likes tea.');
  await contact.getByLabel('Company').fill('Analytical Engines');
  await page.keyboard.press('Enter');
  await contact.getByRole('link', { name: `ada.${word}@example.com` }).waitFor();
  assert.equal(await contact.getByRole('link', { name: '+44' }).getAttribute('href'), 'tel:+442079460000');
  assert.equal(await contact.getByText('Job title').count(), 0);
  await page.getByRole('heading', { name: 'Ada Lovelace', level: 1 }).waitFor();
  await row(page, id).getByText('Ada Lovelace').waitFor();
  await until(async () => page.evaluate<boolean>('document.activeElement?.ariaLabel === "Edit contact"'));

  await button(page, 'Edit contact').click();
  await contact.getByLabel('Location').fill('London');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Discard' }).getByRole('button', { name: 'Keep editing' }).click();
  assert.equal(await contact.getByLabel('Location').inputValue(), 'London');
  // A colleague changes another field meanwhile.
  await call('PUT', `/chat/users/${userId}/contact`, { jobTitle: 'Countess' }, { botId });
  await contact.getByLabel('Location').press('Enter');
  await contact.getByText('Countess').waitFor();
  await contact.getByText('London').waitFor();
  await button(page, 'Edit contact').click();
  await page.keyboard.press('Escape');
  await contact.getByRole('textbox').first().waitFor({ state: 'detached' });

  await page.reload();
  await contact.getByText('Analytical Engines').waitFor();
  await section(page, 'User').getByText('visitor 17').waitFor();
  done('edits a contact, shows errors at their fields, asks before Escape discards, and keeps a colleague’s change');
}

async function findsByEmail(page: Page, { id, word }: Stage): Promise<void> {
  await page.getByLabel('Search customers and messages').fill(`ada.${word}`);
  const found = page.getByRole('navigation', { name: 'Search results' }).locator(`a[data-conversation="${id}"]`);
  await found.getByText('Ada Lovelace').waitFor();
  await found.getByText(`ada.${word}@example.com`).waitFor();
  await page.getByLabel('Search customers and messages').press('Escape');
  done('finds the customer by the email of the contact');
}

async function labels(page: Page, stage: Stage): Promise<void> {
  const { botId, id, word } = stage;
  await openConversation(page, stage, id);
  await section(page, 'Labels').getByText('No labels.').waitFor();
  await page.locator('h1').click();
  await page.keyboard.press('l');
  await page.getByLabel('Search labels').waitFor();
  await page.keyboard.type('vip');
  // The labels are loaded when the menu opens. Before that, Enter has nothing to choose.
  await page.getByRole('option', { name: `VIP ${word}` }).waitFor();
  await page.keyboard.press('Enter');
  await section(page, 'Labels')
    .getByRole('listitem')
    .filter({ hasText: `VIP ${word}` })
    .waitFor();
  await page.getByLabel('Search labels').fill('');
  await page.getByRole('option', { name: `Billing ${word}` }).click();
  await page.keyboard.press('Escape');
  await page.getByLabel('Search labels').waitFor({ state: 'hidden' });
  await until(async () => {
    const { conversation } = await call('GET', `/chat/conversations/${id}`, undefined, { botId });
    return conversation.labelIds?.length === 2;
  });
  await row(page, id).getByText(`VIP ${word}`).waitFor();
  await row(page, id).getByText(`Billing ${word}`).waitFor();
  done('labels a conversation with L, and shows the labels in its row');

  const desk = page.viewportSize()!;
  await page.setViewportSize({ ...desk, width: NARROW });
  await page.getByRole('complementary', { name: 'Details' }).waitFor({ state: 'detached' });
  const drawer = page.getByRole('dialog', { name: 'Details' });
  await page.keyboard.press('l');
  await drawer.getByLabel('Search labels').waitFor();
  await page.keyboard.press('Escape');
  await drawer.getByLabel('Search labels').waitFor({ state: 'hidden' });
  // A drawer slides out.
  await page.waitForTimeout(500);
  assert.equal(await drawer.isVisible(), true);
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await page.setViewportSize(desk);
  const panel = page.getByRole('complementary', { name: 'Details' });
  await panel.waitFor();
  await page.keyboard.press('l');
  await panel.getByLabel('Search labels').waitFor();
  await button(page, 'Details').press('Enter');
  await panel.waitFor({ state: 'detached' });
  await page.keyboard.press('l');
  await panel.getByLabel('Search labels').waitFor();
  await page.keyboard.press('Escape');
  done('closes only the picker of labels with Escape in a drawer, and opens it again after its panel was closed');

  await button(page, 'Edit labels').click();
  await page.getByRole('option', { name: `Billing ${word}` }).click();
  await section(page, 'Labels').getByRole('listitem').filter({ hasText: 'Billing' }).waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await row(page, id).getByText(`Billing ${word}`).waitFor({ state: 'detached' });
  done('removes a label');
}

async function filters(page: Page, { botId, id, otherId, word }: Stage): Promise<void> {
  await page.goto(`${CONSOLE}#/inbox?bot=${botId}&view=waiting`);
  await page.getByText('No conversation selected').waitFor();
  await row(page, otherId).waitFor();
  await button(page, 'Filter by label').click();
  await page.getByRole('menuitemradio', { name: `VIP ${word}` }).click();
  await row(page, otherId).waitFor({ state: 'detached' });
  await row(page, id).waitFor();
  await page.waitForURL(/[?&]label=label_/);
  await page.reload();
  await row(page, id).waitFor();
  assert.equal(await row(page, otherId).count(), 0);
  await row(page, id).click();
  await page.locator(`[data-open-conversation="${id}"]`).waitFor();
  await page.waitForURL(/[?&]label=label_/);
  await page.getByRole('link', { name: 'Closed' }).click();
  await page.getByText('No conversation has this label').waitFor();
  await page.waitForURL(/[?&]label=label_/);
  await page.getByRole('link', { name: 'All', exact: true }).click();
  await row(page, id).waitFor();
  await button(page, 'Clear the label filter').click();
  await row(page, otherId).waitFor();
  await until(async () => !/[?&]label=/.test(page.url()));
  done('filters the list by a label, and keeps the filter in the address');
}

async function opensEarlier(page: Page, stage: Stage): Promise<void> {
  const { id, earlier } = stage;
  await openConversation(page, stage, id);
  const list = section(page, 'Earlier conversations');
  await list.locator('[data-earlier]').first().waitFor();
  assert.equal(await list.locator('[data-earlier]').count(), 5);
  assert.equal(await list.locator(`[data-earlier="${id}"]`).count(), 0);
  const latest = earlier.at(-1)!;
  await list.locator(`[data-earlier="${latest}"]`).getByText(`Earlier question ${EARLIER}`).waitFor();
  await list.locator(`[data-earlier="${latest}"]`).click();
  await page.locator(`[data-open-conversation="${latest}"]`).getByText(`Earlier question ${EARLIER}`).waitFor();
  await page.waitForURL(/[?&]view=all/);
  await list.locator(`[data-earlier="${id}"]`).waitFor();
  await list.getByRole('link', { name: 'All conversations' }).click();
  const results = page.getByRole('navigation', { name: 'Search results' });
  await results.locator(`a[data-conversation="${earlier[0]}"]`).waitFor();
  assert.equal(await results.locator('a[data-conversation]').count(), EARLIER + 1);
  done('opens an earlier conversation of the customer, and lists all');
}

async function looks(browser: Browser, stage: Stage): Promise<void> {
  const screenshots = process.env.SCREENSHOTS;
  await checkLooks(
    browser,
    async (page, check) => {
      const isPhone = page.viewportSize()?.width === PHONE.width;
      await openConversation(page, stage, stage.id);
      if (isPhone || !(await section(page, 'Contact').isVisible())) {
        await button(page, 'Details').click();
      }
      const panel = page.getByRole('dialog', { name: 'Details' });
      await panel.getByText('Analytical Engines').waitFor();
      await panel.locator('[data-earlier]').first().waitFor();
      await check('customer');
      await panel.locator('[data-earlier]').last().scrollIntoViewIfNeeded();
      await check('customer earlier');
      await button(page, 'Edit labels').click();
      await page.getByRole('option').first().waitFor();
      await check('customer labels');
      await page.keyboard.press('Escape');
      await button(page, 'Edit contact').click();
      await panel.getByLabel('Job title').waitFor();
      await check('customer contact');
      await page.keyboard.press('Escape');
      await page.goto(`${CONSOLE}#/inbox?bot=${stage.botId}&view=waiting`);
      await row(page, stage.id).getByText(`VIP ${stage.word}`).waitFor();
      await check('customer list');
      await open(page, '/settings', 'Workspace settings');
      await page.getByRole('region', { name: 'Labels' }).getByText(`VIP ${stage.word}`).waitFor();
      await page.getByRole('region', { name: 'Labels' }).scrollIntoViewIfNeeded();
      await check('customer settings');
    },
    { screenshots },
  );
  if (screenshots) await inGerman(browser, stage, screenshots);
  done('looks right in the panel, the list and the settings');
}

async function inGerman(browser: Browser, stage: Stage, folder: string): Promise<void> {
  const english = await newContext(browser);
  const session = JSON.stringify(await storedSession(await signedIn(english)));
  const context = await newContext(browser, { width: 1440, height: 1200 }, 'de-DE');
  await context.addInitScript(
    `if (location.protocol !== 'about:') localStorage.setItem('parley-console-session', ${JSON.stringify(session)})`,
  );
  const page = await context.newPage();
  await openConversation(page, stage, stage.id);
  await page.getByText('Frühere Unterhaltungen').waitFor();
  await page.locator('[data-earlier]').first().waitFor();
  await page.screenshot({ path: `${folder}/customer german.png` });
  await page.getByRole('button', { name: 'Kontakt bearbeiten' }).click();
  await page.screenshot({ path: `${folder}/customer contact german.png` });
  await Promise.all([context.close(), english.close()]);
}

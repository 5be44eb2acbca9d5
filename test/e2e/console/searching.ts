/** Searches for customers and messages that are not in the loaded rows: inbox, conversations, users and palette. */
import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { checkLooks } from './accessibility.ts';
import { newEndUser } from './endUser.ts';
import { adminClient, botClient, CONSOLE, call, done, local, newContext, open, signedIn, until } from './stage.ts';

const CONVERSATIONS = 60;
const CONCURRENT_CALLS = 8;
const unique = () => Date.now().toString(36);
const field = (page: Page) => page.getByLabel('Search customers and messages');
const results = (page: Page) => page.getByRole('navigation', { name: 'Search results' });
const section = (page: Page, name: string) => results(page).getByRole('region', { name });

export async function testSearching(browser: Browser): Promise<void> {
  const word = `w${unique()}`;
  const { bot } = await adminClient().createBot({ name: `Bot of the search ${word}` });
  const botId = bot.id;
  await adminClient().updateBot({
    id: botId,
    integrations: { chat: { integrationId: local.integrationId, enabled: true } },
  });
  const customer = await newEndUser(botId, `Zoë Müller ${word}`);
  await customer.say(`Where is parcel ${word}, please?`);
  const { user } = (await botClient(botId).listParticipants({ id: customer.id })).participants
    .filter(({ id }) => id !== botId)
    .map(each => ({ user: each }))[0]!;
  await botClient(botId).updateUser({ id: user.id, tags: { mail: `zoe.${word}@example.com` } });
  await call('POST', '/chat/handoffs', { conversationId: customer.id, reason: 'Parcel' }, { botId });
  await addOthers(botId);
  await until(async () => {
    const { customers } = await call('GET', `/chat/inbox/search?query=zoe.${word}`);
    return customers.length === 1;
  });

  const context = await newContext(browser);
  const page = await signedIn(context);
  await findInInbox(page, botId, customer.id, word);
  await findElsewhere(page, botId, customer.id, word);
  await context.close();
  await looks(browser, botId, word);
  await customer.leave();
}

/** Creates newer conversations in the queue, so that the customer is not among the loaded rows. */
async function addOthers(botId: string): Promise<void> {
  const others = Array.from({ length: CONVERSATIONS }, (_, i) => i);
  await mapConcurrently(others, CONCURRENT_CALLS, async i => {
    const client = botClient(botId);
    const { user } = await client.createUser({ name: `Visitor ${i}`, tags: {} });
    const { conversation } = await client.createConversation({ channel: 'channel', tags: {} });
    const conversationId = conversation.id;
    await client.addParticipant({ id: conversationId, userId: user.id });
    await client.createMessage({
      conversationId,
      userId: user.id,
      type: 'text',
      payload: { text: `Hello ${i}` },
      tags: {},
    });
    await call('POST', '/chat/handoffs', { conversationId, reason: `Reason ${i}` }, { botId });
  });
}

async function findInInbox(page: Page, botId: string, id: string, word: string): Promise<void> {
  await page.goto(`${CONSOLE}#/inbox?bot=${botId}&view=all`);
  await page.locator('a[data-conversation]').first().waitFor();
  assert.equal(await page.locator(`a[data-conversation="${id}"]`).count(), 0);
  await field(page).fill(`ZOE.${word}@EXAMPLE`);
  const found = section(page, 'Customers').locator(`a[data-conversation="${id}"]`);
  await found.getByText(`zoe.${word}@example.com`).waitFor();
  await found.getByText('Waiting').waitFor();
  await page.waitForURL(/[?&]q=ZOE/);
  await page.reload();
  await found.waitFor();
  assert.equal(await field(page).inputValue(), `ZOE.${word}@EXAMPLE`);
  done('finds a customer by email who is not among the loaded rows, and keeps the search in the address');

  await field(page).fill(`muller ${word}`);
  await page.waitForURL(/[?&]q=muller/);
  await found.waitFor();
  await field(page).press('Enter');
  await page.locator(`[data-open-conversation="${id}"]`).waitFor();
  await page.waitForURL(/[?&]q=muller/);
  await found.waitFor();
  await field(page).fill('visitor');
  await section(page, 'Customers')
    .getByText('Visitor 1', { exact: true })
    .or(section(page, 'Customers').getByText(/Visitor/))
    .first()
    .waitFor();
  await field(page).blur();
  const opened: (string | null)[] = [];
  for (const key of ['j', 'j', 'j', 'k']) {
    const before = await openId(page);
    await page.keyboard.press(key);
    await until(async () => (await openId(page)) !== before);
    opened.push(await openId(page));
  }
  assert.equal(new Set(opened.slice(0, 3)).size, 3);
  assert.equal(opened[3], opened[1]);
  done('opens results with Enter, J and K');

  await field(page).fill(`parcel ${word.toUpperCase()}`);
  const message = section(page, 'Messages').locator(`a[data-conversation="${id}"]`);
  await message.locator('mark', { hasText: `parcel ${word}` }).waitFor();
  await section(page, 'Customers').getByText('No customer matches.').waitFor();
  await message.click();
  await page.waitForURL(/[?&]find=parcel/);
  await page.locator(`[data-open-conversation="${id}"]`).getByText('1 of 1').waitFor();
  assert.equal(await page.getByLabel('Find a text').inputValue(), `parcel ${word}`);
  await page.locator('[data-found]', { hasText: `Where is parcel ${word}` }).waitFor();
  await field(page).press('Escape');
  await results(page).waitFor({ state: 'detached' });
  await page.locator('a[data-conversation]').first().waitFor();
  assert.equal(await field(page).inputValue(), '');
  await until(async () => !/[?&]q=/.test(page.url()));
  done('finds a text in messages, shows it in the conversation, and restores the list with Escape');
}

const openId = (page: Page) => page.locator('[data-open-conversation]').getAttribute('data-open-conversation');

async function findElsewhere(page: Page, botId: string, id: string, word: string): Promise<void> {
  await open(page, `/bots/${botId}/conversations`, 'Conversations');
  await field(page).fill(`zoe ${word}`);
  await section(page, 'Customers').locator(`a[data-conversation="${id}"]`).click();
  await page.locator(`[data-open-conversation="${id}"]`).waitFor();
  await open(page, `/bots/${botId}/users`, 'Users');
  await page.getByLabel('Search users').fill(`zoe.${word}`);
  await page.getByRole('button', { name: `Zoë Müller ${word}` }).click();
  await page.getByRole('dialog').getByText(`zoe.${word}@example.com`).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  await page.getByLabel('Search pages, bots and actions').fill(`muller ${word}`);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `Zoë Müller ${word}` })
    .waitFor();
  await page.keyboard.press('Enter');
  await page.locator(`[data-open-conversation="${id}"]`).waitFor();
  assert.match(page.url(), /\/bots\/.+\/conversations\//);
  done('finds a customer in the conversations and users of a bot, and in the palette');
}

async function looks(browser: Browser, botId: string, word: string): Promise<void> {
  await checkLooks(
    browser,
    async (page, check) => {
      await page.goto(`${CONSOLE}#/inbox?bot=${botId}&q=${word}`);
      await section(page, 'Messages').locator('mark').waitFor();
      await section(page, 'Customers').locator('a').first().waitFor();
      await check('results');
      await page.goto(`${CONSOLE}#/inbox?bot=${botId}&q=absent${word}`);
      await page.getByText('No customer matches.').waitFor();
      await page.getByText(/^No message matches/).waitFor();
      await check('no results');
      await open(page, `/bots/${botId}/users`, 'Users');
      await page.getByLabel('Search users').fill(word);
      await page.getByRole('button', { name: `Zoë Müller ${word}` }).waitFor();
      await check('users');
    },
    { screenshots: process.env.SCREENSHOTS_OF_SEARCH },
  );
  done('passes axe in the results, light and dark, on a desktop and a phone');
}

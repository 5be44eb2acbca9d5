/** Filters and open rows in the URL: a reload, a link and Back restore them. */
import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { botClient, CONSOLE, done, newContext, open, signedIn } from './stage.ts';

const untilAddress = (page: Page, part: string) => page.waitForURL(({ hash }) => hash.includes(part));

async function testEvents(page: Page, botId: string): Promise<void> {
  await botClient(botId).createEvent({ type: 'address_test', payload: { number: 4711 } });
  await open(page, `/bots/${botId}/events`, 'Events');
  await page.getByLabel('Type', { exact: true }).fill('address_test');
  await untilAddress(page, 'type=address_test');
  await page.getByRole('button', { name: 'address_test' }).first().click();
  await page.getByRole('dialog').getByText('4711').waitFor();
  const link = page.url();
  await page.reload();
  await page.getByRole('dialog').getByText('4711').waitFor();
  assert.equal(await page.getByLabel('Type', { exact: true }).inputValue(), 'address_test');
  await page.goBack();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal(await page.getByLabel('Type', { exact: true }).inputValue(), 'address_test');
  const other = await page.context().newPage();
  await other.goto(link);
  await other.getByRole('dialog').getByText('4711').waitFor();
  await other.close();
  done('restores the filter and the open event after a reload, by Back and by a link');
}

async function testUsers(page: Page, botId: string): Promise<void> {
  const client = botClient(botId);
  const { conversations } = await client.listConversations({});
  const [conversation] = conversations;
  const { participants } = await client.listParticipants({ id: conversation!.id });
  const user = participants.find(({ id }) => id !== botId)!;
  await client.setState({ type: 'user', id: user.id, name: 'addressMood', payload: { is: 'good' } });
  await client.setState({ type: 'conversation', id: conversation!.id, name: 'addressCart', payload: { soup: 2 } });

  await open(page, `/bots/${botId}/users?q=${conversation!.id}`, 'Users');
  await page.goto(`${CONSOLE}#/bots/${botId}/users?q=${conversation!.id}&open=${user.id}`);
  await page.getByRole('dialog').getByRole('link', { name: 'addressMood' }).click();
  await page.getByRole('dialog').getByText('"is": "good"').waitFor();
  await page.goBack();
  await page.getByRole('dialog').getByRole('link', { name: 'addressMood' }).waitFor();
  assert.equal(await page.getByLabel('Search users').inputValue(), conversation!.id);
  done('opens the state of a user from their details, and returns to them by Back');

  await open(page, `/bots/${botId}/conversations/${conversation!.id}`, /./);
  await page.getByRole('link', { name: 'addressCart' }).click();
  await page.getByRole('dialog').getByText('"soup": 2').waitFor();
  await page.keyboard.press('Escape');
  await page
    .getByRole('row', { name: /addressCart/ })
    .getByRole('link')
    .click();
  await page.getByRole('region', { name: 'Conversation', exact: true }).waitFor();
  done('links states to their conversation, and back');
}

async function testTable(page: Page, botId: string): Promise<void> {
  const client = botClient(botId);
  const { table } = await client.createTable({
    name: 'addressTable',
    schema: { type: 'object', properties: { city: { type: 'string' }, total: { type: 'number' } } },
  });
  await client.createTableRows({
    table: table.id,
    rows: [
      { city: 'Lyon', total: 10 },
      { city: 'Kraków', total: 20 },
      { city: 'Lyon', total: 30 },
    ],
  });
  await open(page, `/bots/${botId}/tables/${table.id}`, 'addressTable');
  await page.getByLabel('Filter by column').selectOption('city');
  await page.getByLabel('Value', { exact: true }).fill('Lyon');
  const total = page.getByRole('columnheader', { name: /^total/ });
  await total.getByRole('button').click();
  await total.getByRole('button').click();
  await untilAddress(page, 'value=Lyon');
  await page.reload();
  await page.getByText('2 rows', { exact: true }).waitFor();
  assert.equal(await page.getByLabel('Value', { exact: true }).inputValue(), 'Lyon');
  assert.equal(await total.getAttribute('aria-sort'), 'descending');
  await page.locator('[data-cell^="0:"]').filter({ hasText: /^30$/ }).waitFor();
  await client.deleteTable({ table: table.id });
  done('restores the filter and order of a table after a reload');
}

async function testConversations(page: Page, botId: string): Promise<void> {
  const { conversations } = await botClient(botId).listConversations({});
  const { id } = conversations[0]!;
  await open(page, `/bots/${botId}/conversations`, 'Conversations');
  const search = page.getByLabel('Search customers and messages');
  await search.fill(id);
  await untilAddress(page, `search=${id}`);
  await page.locator('[data-conversation]').first().click();
  await page.getByRole('region', { name: 'Conversation', exact: true }).waitFor();
  assert.equal(await search.inputValue(), id);
  await page.reload();
  await page.getByRole('region', { name: 'Conversation', exact: true }).waitFor();
  assert.equal(await search.inputValue(), id);
  done('keeps the search of conversations while one is opened, and after a reload');
}

export async function testAddress(browser: Browser, botId: string): Promise<void> {
  const context = await newContext(browser);
  const page = await signedIn(context);
  await testEvents(page, botId);
  await testUsers(page, botId);
  await testTable(page, botId);
  await testConversations(page, botId);
  await context.close();
}

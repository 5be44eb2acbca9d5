/** Pages of users, events, workflows, states, usage and logs. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { botClient, done, newContext, open, signedIn } from './stage.ts';

export async function testOtherPages(browser: Browser, botId: string): Promise<void> {
  const client = botClient(botId);
  const context = await newContext(browser);
  const page = await signedIn(context);

  await open(page, `/bots/${botId}/users`, 'Users');
  await page
    .getByRole('row', { name: /^Console/ })
    .first()
    .getByRole('button', { name: 'Console' })
    .click();
  await page.getByRole('dialog').getByRole('link', { name: /^chat/ }).first().click();
  await page.getByRole('region', { name: 'Conversation', exact: true }).waitFor();
  done('shows a user with links to their conversations');

  await open(page, `/bots/${botId}/events`, 'Events');
  await page.getByLabel('Status').selectOption('processed');
  await page
    .getByRole('row', { name: /Delivered/ })
    .first()
    .getByRole('button')
    .click();
  await page.getByRole('dialog').getByRole('region', { name: 'Payload' }).waitFor();
  await page.keyboard.press('Escape');
  done('filters and opens events');

  const { workflow } = await client.createWorkflow({ name: 'orders', status: 'pending', input: { soup: 2 } });
  await open(page, `/bots/${botId}/workflows`, 'Workflows');
  const row = page.getByRole('row', { name: /orders/ }).first();
  await row.getByRole('button', { name: 'orders' }).click();
  await page.getByRole('dialog').getByText('"soup": 2').waitFor();
  await page.keyboard.press('Escape');
  await row.getByRole('button', { name: 'Cancel workflow' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel workflow' }).click();
  await row.getByText('Canceled').waitFor();
  done(`shows and cancels the workflow ${workflow.name}`);

  await page.getByRole('link', { name: 'States' }).click();
  await page.getByText('No states yet').waitFor();
  await page.getByLabel('Owner', { exact: true }).selectOption('conversation');
  await page.getByText('Whose states?').waitFor();
  await page.getByLabel('Id of the owner').fill('convo_absent');
  await page.getByRole('alert').getByText('Error id').waitFor();
  done('shows the error id for states of a missing conversation');

  await open(page, '/usage', 'Usage');
  await page.getByText('Messages and calls').first().waitFor();
  await page.getByLabel('Measure').selectOption('bot_count');
  await page.getByRole('figure', { name: /Bots by month/ }).waitFor();
  const orders = `Orders ${Date.now()}`;
  for (const count of [2, 3]) await client.trackAnalytics({ name: orders, count });
  await open(page, `/bots/${botId}/analytics`, 'Analytics');
  await page.getByRole('figure', { name: 'Messages' }).waitFor();
  await page.getByRole('figure', { name: 'Messages' }).locator('svg path').first().waitFor();
  await page
    .getByRole('table', { name: 'Counts of the bot' })
    .getByRole('row', { name: `${orders} 5` })
    .waitFor();
  done('renders usage and analytics, with the counts that the bot tracked');

  await open(page, '/audit', 'Audit log');
  await page.getByLabel('Action').selectOption('CREATE_BOT_API_KEY');
  const entry = page.getByRole('row', { name: /Create bot API key/ }).first();
  await entry.waitFor();
  await page.getByRole('row', { name: /Deploy bot/ }).waitFor({ state: 'hidden' });
  const [csv] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as CSV' }).click(),
  ]);
  const lines = readFileSync(await csv.path(), 'utf8')
    .trim()
    .split('\r\n');
  assert.ok(lines.length > 1);
  assert.ok(lines.slice(1).every(line => line.includes('CREATE_BOT_API_KEY')));
  await entry.getByRole('link').click();
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  done('filters, exports and follows the audit log');

  await open(page, `/bots/${botId}/logs`, 'Logs');
  await page.getByRole('log', { name: 'Log' }).getByText('The kitchen is closed').first().waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Follow' }).waitFor();
  await open(page, `/bots/${botId}/dead-letters`, 'Failed jobs');
  await page.getByText('No failed jobs').waitFor();
  await context.close();
  done('follows the log, and shows no failed jobs');
}

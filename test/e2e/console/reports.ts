/** Reports: figures of handoffs, replies and ratings that the API produces, their addresses and their CSV files. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { checkLooks } from './accessibility.ts';
import { newEndUser } from './endUser.ts';
import { newAgent } from './inbox.ts';
import { adminClient, call, done, local, newContext, open, signedIn, until } from './stage.ts';

const unique = () => Date.now().toString(36);
const figure = (page: Page, name: string) =>
  page.locator('.mantine-Paper-root', { has: page.getByText(name, { exact: true }) }).first();

/** Returns the first and the last day of this week, in the time zone of the browser, which is this process's. */
function thisWeek() {
  const now = new Date();
  const monday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - ((now.getDay() + 6) % 7));
  const sunday = new Date(monday.getFullYear(), monday.getMonth(), monday.getDate() + 6);
  const dateOf = (date: Date) =>
    [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(part => String(part).padStart(2, '0')).join('-');
  return { from: dateOf(monday), to: dateOf(sunday) };
}

async function newBot(name: string) {
  const { bot } = await adminClient().createBot({ name });
  const chat = { integrationId: local.integrationId, enabled: true };
  await adminClient().updateBot({ id: bot.id, integrations: { chat } });
  return { id: bot.id, name };
}

/** One conversation that an agent closes, one that the bot contains, and one that still waits. */
async function produce(bot: { id: string }, agentName: string) {
  const token = await newAgent(agentName);
  const users = [];
  for (const name of ['Ada', 'Grace', 'Hedy']) users.push(await newEndUser(bot.id, name));
  const [ada, grace, hedy] = users as [(typeof users)[0], (typeof users)[0], (typeof users)[0]];
  for (const user of users) await user.say('Hello');
  const start = async (conversationId: string, reason: string) =>
    (await call('POST', '/chat/handoffs', { conversationId, reason }, { botId: bot.id })).handoff.id;
  const id = await start(ada.id, 'Refund');
  await call('POST', `/chat/handoffs/${id}/assign`, {}, { botId: bot.id, token });
  const reply = { type: 'text', payload: { text: 'The money is on its way.' } };
  await call('POST', `/chat/handoffs/${id}/messages`, reply, { botId: bot.id, token });
  await call('POST', `/chat/handoffs/${id}/end`, {}, { botId: bot.id, token });
  await ada.rate({ value: 5, comment: 'Quick and friendly.' });
  await start(hedy.id, 'refund ');
  const query = new URLSearchParams({ botIds: bot.id, ...thisWeek() });
  await until(async () => (await call('GET', `/chat/inbox/report?${query}`)).report.totals.conversations === 3);
  await Promise.all([ada, grace, hedy].map(each => each.leave()));
  return { ada };
}

export async function testReports(browser: Browser): Promise<void> {
  const agent = `Ben ${unique()}`;
  const bot = await newBot(`Bot of the reports ${unique()}`);
  const quiet = await newBot(`Quiet bot ${unique()}`);
  const { ada } = await produce(bot, agent);
  const context = await newContext(browser);
  const page = await signedIn(context);

  await page.getByRole('link', { name: 'Reports', exact: true }).click();
  await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor();
  await page.getByLabel('Bot', { exact: true }).selectOption(bot.id);
  await figure(page, 'Conversations').getByText('3', { exact: true }).waitFor();
  await figure(page, 'Handled by the bot alone').getByText('33%').waitFor();
  await figure(page, 'Handed over').or(page.getByText('2 handed over')).first().waitFor();
  await figure(page, 'Handoffs').getByText('1 assignment', { exact: true }).waitFor();
  await figure(page, 'Satisfied (CSAT)').getByText('100%').waitFor();
  await figure(page, 'First response').getByText('None before').waitFor();
  await page.getByRole('table', { name: 'Conversations and handoffs' }).locator('tbody tr').first().waitFor();
  assert.equal(await page.locator('td[data-count]').count(), 7 * 24);
  const counts = await page.locator('td[data-count]').evaluateAll(cells => cells.map(each => each.dataset.count));
  assert.equal(
    counts.reduce((sum, each) => sum + Number(each), 0),
    2,
  );
  await page
    .getByRole('region', { name: 'Reasons', exact: true })
    .getByRole('row', { name: /^refund 2$/i })
    .first()
    .waitFor();
  await page.getByText('5 of 5 on average, from 1 rating (100% of closed handoffs).').waitFor();
  await page
    .getByRole('table', { name: 'Figures by agent' })
    .getByRole('row', { name: new RegExp(`^${agent} 1 1 `) })
    .waitFor();
  done('shows the figures of this week for a bot');

  await page.getByRole('button', { name: 'Earlier' }).click();
  await page.getByText('Nothing to report').waitFor();
  assert.match(page.url(), /[?&]at=\d{4}-\d\d-\d\d/);
  await page.reload();
  await page.getByText('Nothing to report').waitFor();
  await page.getByRole('button', { name: 'Later' }).click();
  await figure(page, 'Conversations').getByText('3', { exact: true }).waitFor();
  assert.ok(await page.getByRole('button', { name: 'Later' }).isDisabled());
  await page.getByLabel('Time span').selectOption('month');
  await figure(page, 'Conversations').getByText('3', { exact: true }).waitFor();
  assert.match(page.url(), /span=month/);
  await page.getByLabel('Time span').selectOption('7');
  await figure(page, 'Conversations').getByText('3', { exact: true }).waitFor();
  done('keeps bot and time span in the address, and moves between weeks');

  await page.getByLabel('Bot', { exact: true }).selectOption('');
  const byBot = page.getByRole('table', { name: 'Figures by bot' });
  const sorted = async (head: string) => {
    await byBot.getByRole('button', { name: head, exact: true }).click();
    return byBot.locator('tbody tr td:first-child').allInnerTexts();
  };
  const descending = await sorted('Conversations');
  assert.ok(descending.indexOf(bot.name) < descending.indexOf(quiet.name));
  const ascending = await sorted('Conversations');
  assert.ok(ascending.indexOf(bot.name) > ascending.indexOf(quiet.name));
  await byBot.locator('th[aria-sort="ascending"]').waitFor();
  done('sorts the bots');

  await page.getByLabel('Bot', { exact: true }).selectOption(bot.id);
  await figure(page, 'Conversations').getByText('3', { exact: true }).waitFor();
  const rowsOf = async (part: string) => {
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: part }).click(),
    ]);
    const text = readFileSync(await download.path(), 'utf8').replace('\uFEFF', '');
    const [heads, ...rows] = text.split('\r\n').map(line => line.split(','));
    return rows.map(row => Object.fromEntries(heads!.map((head, place) => [head, row[place]])));
  };
  const days = await rowsOf('Days');
  assert.equal(days.length, 7);
  assert.equal(
    days.reduce((sum, each) => sum + Number(each.conversations), 0),
    3,
  );
  const [ofBot] = await rowsOf('Bots');
  assert.deepEqual(
    [ofBot!.botId, ofBot!.name, ofBot!.started, ofBot!.ended, ofBot!['csat.5']],
    [bot.id, bot.name, '2', '1', '1'],
  );
  const [ofAgent] = await rowsOf('Agents');
  assert.deepEqual([ofAgent!.name, ofAgent!.assigned, ofAgent!['firstResponse.count']], [agent, '1', '1']);
  done('downloads days, bots and agents as CSV');

  await open(page, `/bots/${bot.id}/conversations/${ada.id}`, /./);
  await page.getByText('The user rated the handoff 5 of 5: Quick and friendly.').waitFor();
  await page.getByRole('region', { name: 'Rating' }).getByText('5 of 5').waitFor();
  await open(page, `/inbox/${bot.id}/${ada.id}?view=all`, /./);
  await page.getByText('The user rated the handoff 5 of 5: Quick and friendly.').waitFor();
  done('shows the rating in the conversation, its details and the inbox');

  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Deutsch' }).click();
  await page.getByRole('link', { name: 'Berichte' }).click();
  await page.getByRole('heading', { name: 'Berichte', level: 1 }).waitFor();
  await page.getByLabel('Bot', { exact: true }).selectOption(bot.id);
  await figure(page, 'Vom Bot allein erledigt')
    .getByText(/33\s?%/)
    .waitFor();
  await page.getByRole('table', { name: 'Zahlen nach Agent' }).waitFor();
  await context.close();
  done('shows reports in German');

  await checkLooks(
    browser,
    async (each, check) => {
      await open(each, `/reports?bot=${bot.id}`, 'Reports');
      await figure(each, 'Conversations').getByText('3', { exact: true }).waitFor();
      await check('reports');
      await open(each, `/reports?bot=${quiet.id}`, 'Reports');
      await each.getByText('Nothing to report').waitFor();
      await check('empty report');
    },
    { screenshots: process.env.SCREENSHOTS },
  );
  done('shows reports accessibly, light, dark and on a phone');
}

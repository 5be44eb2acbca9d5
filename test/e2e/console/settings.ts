/** Edits the configuration of a bot, and shows its recurring events and a failed deployment. */
import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { violationsIn } from './accessibility.ts';
import { adminClient, done, newContext, open, signedIn } from './stage.ts';

export async function testSettings(browser: Browser): Promise<void> {
  const client = adminClient();
  const { bot } = await client.createBot({
    name: 'Bot with settings',
    configuration: {
      data: { greeting: 'Hello', apiKey: 'hunter2', unlisted: 1 },
      schema: {
        type: 'object',
        required: ['greeting'],
        properties: {
          greeting: { type: 'string', title: 'Greeting', maxLength: 20 },
          apiKey: { type: 'string', title: 'Key of the shop', 'x-zui': { secret: true } },
          tone: { anyOf: [{ const: 'formal' }, { const: 'casual' }], title: 'Tone' },
        },
      },
    },
    recurringEvents: {
      report: { schedule: { cron: '0 9 * * MON-FRI' }, type: 'report', payload: { days: 7 } },
      cleanup: { schedule: { cron: '*/15 * * * *' }, type: 'cleanup', payload: {} },
    },
  });
  const stored = async () => (await client.getBot({ id: bot.id })).bot.configuration.data;
  const context = await newContext(browser);
  const page = await signedIn(context);
  // Fading panels have a low contrast.
  await page.emulateMedia({ reducedMotion: 'reduce' });

  await testGeneral(page, bot.id);
  await page.getByLabel('Greeting').fill('A greeting that is too long');
  await page.getByRole('form', { name: 'Configuration' }).getByRole('button', { name: 'Save' }).click();
  await page.getByText('The length is out of range.').waitFor();
  await page.getByLabel('Greeting').fill('Good day');
  await page.getByLabel('Tone').selectOption('formal');
  await page.getByRole('form', { name: 'Configuration' }).getByRole('button', { name: 'Save' }).click();
  await page.getByText('The configuration was saved.').waitFor();
  assert.deepEqual(await stored(), { greeting: 'Good day', tone: 'formal', unlisted: 1 });
  assert.equal((await page.content()).includes('hunter2'), false);
  assert.deepEqual(await violationsIn(page), []);
  done('edits the configuration of a bot, without its secrets');

  await open(page, `/bots/${bot.id}`, 'Bot of the shop');
  await page
    .getByRole('row', { name: /cleanup/ })
    .getByText('Every 15 minutes')
    .waitFor();
  const row = page.getByRole('row', { name: /report/ });
  await row.getByText(/Monday to Friday at 0?9:00/).waitFor();
  await row.getByRole('button', { name: 'report' }).click();
  await page.getByRole('dialog').getByText('"days": 7').waitFor();
  assert.deepEqual(await violationsIn(page), []);
  await page.keyboard.press('Escape');
  done('shows recurring events with their schedules in words');

  await testVersions(page, bot.id);
  await open(page, `/bots/${bot.id}`, 'Bot of the shop');
  await client.updateBot({ id: bot.id, code: 'throw new Error("The menu is missing")' });
  await page.reload();
  await page.getByRole('alert').getByText('The menu is missing').waitFor();
  assert.deepEqual(await violationsIn(page), []);
  await client.deleteBot({ id: bot.id });
  await context.close();
  done('shows why a deployment failed');
}

/** Rolls a bot back to the code before its latest deployment. */
async function testVersions(page: Page, botId: string): Promise<void> {
  const client = adminClient();
  const running = async () =>
    (await client.listBotVersions({ id: botId })).versions as { id: string; active?: boolean }[];
  for (const text of ['first', 'second']) {
    await client.updateBot({ id: botId, code: `exports.handler = async () => ({ body: '${text}' })` });
  }
  await open(page, `/bots/${botId}/settings`, 'Settings');
  const versions = page.getByRole('region', { name: 'Versions' });
  await versions.getByLabel('Name of the current version').fill('Before the sale');
  await versions.getByRole('button', { name: 'Save version' }).click();
  await versions.getByText('Before the sale', { exact: true }).waitFor();
  assert.equal(await versions.getByRole('listitem').count(), 3);
  const latest = versions.getByRole('listitem').filter({ hasText: 'Running' });
  assert.equal(await latest.getByRole('button', { name: 'Roll back' }).count(), 0);
  assert.deepEqual(await violationsIn(page), []);
  if (process.env.SCREENSHOTS) await versions.screenshot({ path: `${process.env.SCREENSHOTS}/versions.png` });

  await versions.getByRole('listitem').last().getByRole('button', { name: 'Roll back' }).click();
  const question = page.getByRole('dialog', { name: 'Return to this version?' });
  await question.getByText('Secrets, configuration, integrations and data stay.').waitFor();
  await question.getByRole('button', { name: 'Roll back' }).click();
  await page.getByText('The version is running.').waitFor();
  await versions.getByRole('listitem').last().getByText('Running', { exact: true }).waitFor();
  assert.deepEqual(
    (await running()).map(({ active }) => active),
    [false, false, true],
  );
  done('rolls a bot back to an earlier version, and names the current one');
}

/** Renames the bot from its first steps on, while a colleague changes another tag. */
async function testGeneral(page: Page, botId: string): Promise<void> {
  const client = adminClient();
  await open(page, `/bots/${botId}`, 'Bot with settings');
  const steps = page.getByRole('region', { name: 'First steps' });
  await steps.locator('[data-step=talk][data-done=false]').waitFor();
  const guide = await steps.getByRole('link', { name: 'Guide: Install the chat' }).getAttribute('href');
  const [address, anchor] = guide!.split('#');
  assert.ok((await (await fetch(address!)).text()).includes(`id="${anchor}"`), `${guide} has no section`);
  assert.deepEqual(await violationsIn(page), []);
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/first-steps.png` });
  await steps.getByRole('link', { name: 'Deploy the bot', exact: true }).click();
  await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();

  const general = page.getByRole('region', { name: 'General' });
  await general.getByLabel('Name', { exact: true }).fill('Bot of the shop');
  await general.getByLabel('Description').fill('Answers questions about orders.');
  await general.getByRole('button', { name: 'Add tag' }).click();
  await general.getByLabel('Name of tag 1').fill('team');
  await general.getByLabel('Value of tag 1').fill('sales');
  await client.updateBot({ id: botId, tags: { region: 'emea' } });
  await general.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The bot was saved.').waitFor();
  const { bot } = await client.getBot({ id: botId });
  assert.deepEqual([bot.name, bot.description], ['Bot of the shop', 'Answers questions about orders.']);
  assert.deepEqual(bot.tags, { team: 'sales', region: 'emea' });
  await general.getByRole('button', { name: 'Remove tag team' }).waitFor();
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/bot-settings.png` });
  done('renames, describes and tags a bot, and keeps the tags of others');

  await open(page, `/bots/${botId}`, 'Bot of the shop');
  await steps.getByRole('button', { name: 'Hide' }).click();
  await page.reload();
  await page.getByRole('heading', { name: 'Bot of the shop', level: 1 }).waitFor();
  await page.getByText('Recurring events').waitFor();
  assert.equal(await steps.count(), 0);
  await open(page, `/bots/${botId}/settings`, 'Settings');
  done('lists the first steps of a new bot with their guides, until they are hidden');
}

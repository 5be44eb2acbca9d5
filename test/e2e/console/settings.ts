/** Edits the configuration of a bot, and shows its recurring events and a failed deployment. */
import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
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

  await open(page, `/bots/${bot.id}/settings`, 'Settings');
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

  await open(page, `/bots/${bot.id}`, 'Bot with settings');
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

  await client.updateBot({ id: bot.id, code: 'throw new Error("The menu is missing")' });
  await page.reload();
  await page.getByRole('alert').getByText('The menu is missing').waitFor();
  assert.deepEqual(await violationsIn(page), []);
  await client.deleteBot({ id: bot.id });
  await context.close();
  done('shows why a deployment failed');
}

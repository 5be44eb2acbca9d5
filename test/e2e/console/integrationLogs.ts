/** The log of an integration of the workspace, and the plugins of a bot. */
import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { violationsIn } from './accessibility.ts';
import { adminClient, call, done, newContext, open, signedIn } from './stage.ts';

const CODE = `exports.handler = async ({ headers }) => {
  console.log('called for', headers['x-bp-operation']);
  return { status: 200, body: '{}' };
};`;

export async function testIntegrationLogs(browser: Browser): Promise<void> {
  const client = adminClient();
  const name = `logging-${Date.now().toString(36)}`;
  const { integration } = await client.createIntegration({ name, version: '1.0.0', title: name, code: CODE });
  const { plugin } = await client.createPlugin({
    name: `plugin-${name}`,
    version: '1.0.0',
    title: `Plugin ${name}`,
    code: { node: '', browser: '' },
  });
  const { bot } = await client.createBot({ name: `Bot of ${name}` });
  await client.updateBot({ id: bot.id, integrations: { [name]: { integrationId: integration.id, enabled: true } } });
  await call('PUT', `/admin/bots/${bot.id}`, { plugins: { helper: { id: plugin.id, enabled: true } } });
  const context = await newContext(browser);
  const page = await signedIn(context);

  await open(page, `/bots/${bot.id}/integrations`, 'Integrations');
  await page.getByRole('region', { name: 'Plugins' }).getByText(`Plugin ${name}`).waitFor();
  assert.deepEqual(await violationsIn(page), []);
  await page.getByRole('button', { name, exact: true }).first().click();
  await page.getByRole('dialog', { name }).getByRole('link', { name: 'Open log' }).click();
  await page.getByRole('heading', { name: 'Logs', level: 1 }).waitFor();
  await page.getByRole('log').getByText('called for register').waitFor();
  assert.equal(await page.getByLabel('Source').inputValue(), integration.id);
  assert.deepEqual(await violationsIn(page), []);
  done('opens the log of an integration from its panel');

  await page.getByLabel('Source').selectOption('Bot and its plugins');
  await page.getByRole('log').getByText('called for register').waitFor({ state: 'detached' });
  await open(page, `/bots/${bot.id}/integrations`, 'Integrations');
  await page.getByRole('region', { name: 'Plugins' }).getByRole('link', { name: 'Open log' }).click();
  await page.getByRole('heading', { name: 'Logs', level: 1 }).waitFor();
  assert.equal(await page.getByLabel('Source').inputValue(), '');
  done('opens the log of the bot, which contains the output of its plugins');
  await context.close();
}

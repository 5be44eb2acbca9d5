/** Signs in with a link, changes what a limited token may not change, and manages the sessions of the account. */
import assert from 'node:assert/strict';
import { Client } from '@botpress/client';
import type { Browser } from 'playwright-core';
import { violationsIn } from './accessibility.ts';
import { adminClient, CONSOLE, done, local, newContext, newLink, open, signedIn, until } from './stage.ts';

export async function testSessions(browser: Browser): Promise<void> {
  const client = adminClient();
  const { bot } = await client.createBot({ name: 'Bot of a person' });
  await client.updateBot({ id: bot.id, integrations: { chat: { integrationId: local.integrationId, enabled: true } } });
  const context = await newContext(browser);
  const page = await context.newPage();
  await page.goto(newLink());
  await page.getByRole('heading', { name: 'Bots', level: 1 }).waitFor();

  const email = `linked-${Date.now().toString(36)}@example.com`;
  await open(page, '/members', 'Members');
  await page.getByRole('button', { name: 'Invite member' }).click();
  await page.getByRole('dialog').getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Create invitation' }).click();
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('row', { name: new RegExp(email) }).waitFor();
  done('invites a member after signing in with a link');

  await open(page, `/bots/${bot.id}/integrations`, 'Integrations');
  await page.getByRole('button', { name: 'Chat', exact: true }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Chat' });
  await dialog.getByLabel('Allowed origins').fill('https://www.example.com');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('listitem').getByText('https://www.example.com').waitFor();
  const { integrations } = (await client.getBot({ id: bot.id })).bot;
  assert.deepEqual(integrations.chat!.configuration.allowedOrigins, ['https://www.example.com']);
  await page.keyboard.press('Escape');
  done('sets the allowed origins of a chat');

  await open(page, `/bots/${bot.id}/settings`, 'Settings');
  const secrets = page.getByRole('region', { name: 'Secrets' });
  await secrets.getByRole('textbox', { name: 'Name', exact: true }).fill('API_KEY');
  await page.getByLabel('Value', { exact: false }).and(page.locator('input')).fill('hunter2');
  await page.getByRole('button', { name: 'Set' }).click();
  await page.getByText('The secrets were saved.').waitFor();
  await page.getByLabel('Note').fill('Server');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.locator('code', { hasText: 'bp_bak_' }).waitFor();
  done('sets a secret and creates an API key of a bot');

  const elsewhere = await newContext(browser);
  await signedIn(elsewhere);
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Account' }).click();
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
  const here = page.getByRole('row', { name: /this browser/ });
  const there = page
    .getByRole('row')
    .filter({ hasText: 'Signed in with a token' })
    .filter({ hasNotText: 'this browser' });
  await here.getByText('Signed in with a link').waitFor();
  assert.match((await here.textContent())!, /Chrome, Linux/);
  assert.deepEqual(await violationsIn(page), []);
  const count = await there.count();
  await there.first().getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('The session was signed out.').waitFor();
  await until(async () => (await there.count()) === count - 1);
  done('lists the sessions of the account, and signs another browser out');

  const note = `Laptop ${Date.now().toString(36)}`;
  await page.getByLabel('Your name').fill('Ada Lovelace');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The profile was saved.').waitFor();
  assert.equal((await client.getAccount({})).account.displayName, 'Ada Lovelace');
  await client.updateAccount({ displayName: '' });
  await page.getByRole('textbox', { name: 'Note', exact: true }).fill(note);
  await page.getByLabel('Permissions').selectOption('Chosen permissions');
  await page.getByLabel('admin:read').check();
  await page.getByRole('button', { name: 'Create token' }).click();
  const shown = page.getByRole('dialog', { name: 'New token' });
  const pat = await shown.getByLabel('Personal access token').inputValue();
  await shown.getByRole('button', { name: 'Copy', exact: true }).click();
  await shown.getByRole('button', { name: 'Done' }).click();
  await new Client({ apiUrl: local.apiUrl, token: pat, workspaceId: local.workspaceId }).listBots({});
  await page.reload();
  const row = page.getByRole('row', { name: new RegExp(note) });
  await row.getByText('admin:read').waitFor();
  assert.equal(await row.getByText('never').count(), 0);
  assert.deepEqual(await violationsIn(page), []);
  await row.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await row.waitFor({ state: 'detached' });
  done('changes the name of the account, and creates and revokes a token with permissions');

  await page.goto(`${CONSOLE}#/nowhere`);
  await page.getByText('Page not found').waitFor();
  await page.locator('main').getByRole('button', { name: 'Search' }).click();
  await page.getByRole('dialog', { name: 'Command palette' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'All bots' }).click();
  await page.getByRole('heading', { name: 'Bots', level: 1 }).waitFor();
  await open(page, '/account', 'Account');
  done('leads back from an unknown address');

  await here.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Personal access token').waitFor();
  await client.deleteBot({ id: bot.id });
  await Promise.all([context.close(), elsewhere.close()]);
  done('signs this browser out from the list');
}

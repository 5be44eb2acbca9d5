/** Creates a bot and chats with it while another tab follows. Then a delivery fails and is retried. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { startEchoBot } from '#infra/local/echoBot.ts';
import { violationsIn } from './accessibility.ts';
import { botClient, done, local, newContext, open, signedIn } from './stage.ts';

/** Returns the id of the bot. */
export async function testTalking(browser: Browser): Promise<string> {
  const context = await newContext(browser);
  const page = await signedIn(context);
  await page.getByRole('button', { name: 'New bot' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Test bot');
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'Test bot', level: 1 }).waitFor();
  const botId = /bots\/([\w-]+)/.exec(page.url())![1]!;
  await page.getByText('Not deployed yet', { exact: true }).first().waitFor();
  done('creates and opens a bot');

  await page.getByRole('link', { name: 'set an endpoint' }).click();
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  await page.getByLabel('Note').fill('Echo');
  await page.getByRole('button', { name: 'Create key' }).click();
  const key = await page.locator('code', { hasText: 'bp_bak_' }).textContent();
  const echo = await startEchoBot({ apiUrl: local.apiUrl, token: key!, pauseMs: 0 });
  try {
    await page.getByLabel('Endpoint URL').fill(echo.endpoint);
    await page.getByRole('region', { name: 'Endpoint' }).getByRole('button', { name: 'Save' }).click();
    await page.getByText('The endpoint was saved.').waitFor();
    const secrets = page.getByRole('region', { name: 'Secrets' });
    await secrets.getByRole('textbox', { name: 'Name', exact: true }).fill('API_KEY');
    await secrets.getByLabel('Value', { exact: false }).and(page.locator('input')).fill('hunter2');
    await secrets.getByRole('button', { name: 'Set' }).click();
    await page.getByText('API_KEY').waitFor();
    assert.equal((await page.content()).includes('hunter2'), false);
    done('creates a key, sets the endpoint and a secret, and does not show the secret again');

    await open(page, `/bots/${botId}`, 'Test bot');
    await page.getByRole('button', { name: 'Install chat' }).click();
    await page.getByText('Chat was installed.').waitFor();
    await page.getByRole('link', { name: 'Chat', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Chat' });
    await dialog.getByText('Registered', { exact: true }).waitFor();
    await dialog
      .locator('code', { hasText: '/chat/' })
      .or(dialog.locator('code', { hasText: '/webhook/' }))
      .first()
      .waitFor();
    await dialog.getByLabel('Embed code').getByText('<script').waitFor();
    await page.keyboard.press('Escape');
    done('installs chat, and shows its URL and the embed code');

    await talk(page, await signedIn(context), botId);
  } finally {
    await echo.stop();
  }
  await testFailedDelivery(page, botId, key!);
  await context.close();
  return botId;
}

async function talk(page: Page, other: Page, botId: string): Promise<void> {
  await open(other, `/bots/${botId}/conversations`, 'Conversations');
  await other.getByText('No conversations yet').waitFor();
  await page.getByRole('link', { name: 'Test chat' }).click();
  await page.getByRole('heading', { name: 'Test chat' }).waitFor();
  await page.getByLabel('Message', { exact: true }).fill('Hello there');
  await page.waitForLoadState('networkidle');
  assert.deepEqual((await botClient(botId).listUsers({})).users, []);
  assert.deepEqual((await botClient(botId).listConversations({})).conversations, []);
  done('creates no user and no conversation when the chat pane opens');
  const listening = page.waitForEvent('websocket', socket => socket.url().endsWith('/listen'));
  await page.keyboard.press('Enter');
  await listening;
  await page.getByText('Live', { exact: true }).waitFor();
  await page.locator('[data-message][data-own=false]', { hasText: 'Hello there' }).waitFor();
  done('shows the reply in the chat pane');

  const activity = page.getByRole('complementary', { name: 'Events and log of this chat' });
  const event = activity.getByRole('listitem').filter({ hasText: 'message_created' });
  await event.getByText('Delivered', { exact: true }).waitFor();
  await event.getByRole('button', { name: 'message_created' }).click();
  await event.getByRole('region', { name: 'Payload' }).getByText('"Hello there"').waitFor();
  await page.getByRole('button', { name: 'Activity' }).click();
  await activity.waitFor({ state: 'detached' });
  await page.reload();
  await page.getByText('Live', { exact: true }).waitFor();
  assert.equal(await activity.isVisible(), false);
  await page.getByRole('button', { name: 'Activity' }).click();
  await event.waitFor();
  assert.deepEqual(await violationsIn(page), []);
  done('shows the events of the chat beside it, and remembers whether they are shown');

  // The other tab updates without interaction.
  await other.locator('a[data-conversation]').click();
  await other.getByRole('region', { name: 'Conversation', exact: true }).waitFor();
  await other.locator('[data-message]', { hasText: 'Hello there' }).nth(1).waitFor();
  await page.getByLabel('Message', { exact: true }).fill('And again');
  await page.keyboard.press('Enter');
  await other.locator('[data-message]', { hasText: 'And again' }).nth(1).waitFor();
  await other.locator('[data-group]', { hasText: 'Console' }).getByText('Delivered', { exact: true }).first().waitFor();
  done('shows the conversation, its messages and their delivery live in another tab');

  await page.reload();
  await page.locator('[data-message][data-own=true]', { hasText: 'And again' }).waitFor();
  done('keeps the conversation when the chat pane is reloaded');
}

async function testFailedDelivery(page: Page, botId: string, key: string): Promise<void> {
  const broken = createServer((_, response) => {
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: 'err_1', code: 400, type: 'Runtime', message: 'The kitchen is closed' }));
  }).listen(0, '127.0.0.1');
  const address = () => `http://127.0.0.1:${(broken.address() as AddressInfo).port}`;
  await new Promise(resolve => broken.once('listening', resolve));
  await setEndpoint(page, botId, address());
  await open(page, `/bots/${botId}/chat`, 'Test chat');
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByLabel('Message', { exact: true }).fill('Two soups, please');
  await page.keyboard.press('Enter');
  const activity = page.getByRole('complementary', { name: 'Events and log of this chat' });
  const failed = activity.getByRole('listitem').filter({ hasText: 'The kitchen is closed' });
  await failed.getByText('Failed', { exact: true }).waitFor();
  await failed.getByRole('button', { name: 'Retry' }).waitFor();
  await failed.getByText(/failed attempt/).waitFor();
  await activity.getByRole('tab', { name: 'Log' }).click();
  await activity.getByRole('log', { name: 'Log' }).getByText('The kitchen is closed').first().waitFor();
  assert.deepEqual(await violationsIn(page), []);
  done('shows a failed delivery and the log beside the chat');

  await open(page, `/bots/${botId}/conversations`, 'Conversations');
  await page.locator('a[data-conversation]').first().click();
  const message = page.locator('[data-message]', { hasText: 'Two soups' }).last();
  await message.getByText('Failed', { exact: true }).waitFor();
  await message.getByText('The kitchen is closed').waitFor();
  await open(page, `/bots/${botId}/events`, 'Events');
  await page
    .getByRole('row', { name: /Failed/ })
    .first()
    .getByText('The kitchen is closed')
    .waitFor();
  done('shows a failed delivery and its reason in the conversation and in the events');

  broken.closeAllConnections();
  broken.close();
  const echo = await startEchoBot({ apiUrl: local.apiUrl, token: key!, pauseMs: 0 });
  try {
    await setEndpoint(page, botId, echo.endpoint);
    await open(page, `/bots/${botId}/conversations`, 'Conversations');
    await page.locator('a[data-conversation]').first().click();
    await page.getByRole('log', { name: 'Messages' }).getByRole('button', { name: 'Retry' }).click();
    await page.locator('[data-message]', { hasText: 'Two soups' }).nth(1).waitFor();
    await page.getByText('Failed', { exact: true }).first().waitFor({ state: 'detached' });
  } finally {
    await echo.stop();
  }
  done('delivers the message after a retry');
}

async function setEndpoint(page: Page, botId: string, url: string): Promise<void> {
  await open(page, `/bots/${botId}/settings`, 'Settings');
  await page.getByLabel('Endpoint URL').fill(url);
  await page.getByRole('region', { name: 'Endpoint' }).getByRole('button', { name: 'Save' }).click();
  await page.getByText('The endpoint was saved.').first().waitFor();
}

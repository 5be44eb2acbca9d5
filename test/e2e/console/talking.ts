/**
 * A bot from its making to a conversation that another tab sees as it happens, and a delivery that failed and is
 * repeated.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { startEchoBot } from '#infra/local/echoBot.ts';
import { done, local, newContext, open, signedIn } from './stage.ts';

/** @returns the id of the bot */
export async function walkThroughTalking(browser: Browser): Promise<string> {
  const context = await newContext(browser);
  const page = await signedIn(context);
  await page.getByRole('button', { name: 'New bot' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Walked bot');
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'Walked bot', level: 1 }).waitFor();
  const botId = /bots\/([\w-]+)/.exec(page.url())![1]!;
  await page.getByText('Active', { exact: true }).waitFor();
  done('a bot is made and opened');

  await page.getByLabel('Note').fill('Echo');
  await page.getByRole('button', { name: 'Create key' }).click();
  const key = await page.locator('code', { hasText: 'bp_bak_' }).textContent();
  const echo = await startEchoBot({ apiUrl: local.apiUrl, token: key!, pauseMs: 0 });
  try {
    await page.getByLabel('Endpoint URL').fill(echo.endpoint);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The endpoint was saved.').waitFor();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('API_KEY');
    await page.getByLabel('Value', { exact: false }).and(page.locator('input')).fill('hunter2');
    await page.getByRole('button', { name: 'Set' }).click();
    await page.getByText('API_KEY').waitFor();
    assert.equal((await page.content()).includes('hunter2'), false);
    done('it gets a key, an address and a secret, which is not shown again');

    await page.getByRole('button', { name: 'Install chat' }).click();
    await page.getByText('Chat was installed.').waitFor();
    await page
      .locator('code', { hasText: '/chat/' })
      .or(page.locator('code', { hasText: '/webhook/' }))
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Show the embed code' }).click();
    await page.getByLabel('Embed code').getByText('<script').waitFor();
    done('chat is installed, with its address and the code for a page');

    await talk(page, await signedIn(context), botId);
  } finally {
    await echo.stop();
  }
  await failAndRepeat(page, botId, key!);
  await context.close();
  return botId;
}

async function talk(page: Page, other: Page, botId: string): Promise<void> {
  await open(other, `/bots/${botId}/conversations`, 'Conversations');
  await other.getByText('No conversations yet').waitFor();
  await page.getByRole('link', { name: 'Test chat' }).click();
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByLabel('Message', { exact: true }).fill('Hello there');
  await page.keyboard.press('Enter');
  await page.locator('[data-message][data-own=false]', { hasText: 'Hello there' }).waitFor();
  done('it answers in the chat pane');

  // Nothing is pressed in the other tab until the conversation is there.
  await other.locator('a[data-conversation]').click();
  await other.getByRole('region', { name: 'Conversation', exact: true }).waitFor();
  await other.locator('[data-message]', { hasText: 'Hello there' }).nth(1).waitFor();
  await page.getByLabel('Message', { exact: true }).fill('And again');
  await page.keyboard.press('Enter');
  await other.locator('[data-message]', { hasText: 'And again' }).nth(1).waitFor();
  await other.locator('[data-group]', { hasText: 'Console' }).getByText('Delivered', { exact: true }).first().waitFor();
  done('another tab sees the conversation appear, its messages as they are said, and that they were delivered');

  await page.reload();
  await page.locator('[data-message][data-own=true]', { hasText: 'And again' }).waitFor();
  done('a reload of the chat pane keeps the conversation');
}

async function failAndRepeat(page: Page, botId: string, key: string): Promise<void> {
  const broken = createServer((_, response) => {
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: 'err_1', code: 400, type: 'Runtime', message: 'The kitchen is closed' }));
  }).listen(0, '127.0.0.1');
  const address = () => `http://127.0.0.1:${(broken.address() as AddressInfo).port}`;
  await new Promise(resolve => broken.once('listening', resolve));
  await changeAddress(page, botId, address());
  await open(page, `/bots/${botId}/chat`, 'Test chat');
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByLabel('Message', { exact: true }).fill('Two soups, please');
  await page.keyboard.press('Enter');

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
  done('a message that the bot did not take says so and why, in its conversation and among the events');

  broken.closeAllConnections();
  broken.close();
  const echo = await startEchoBot({ apiUrl: local.apiUrl, token: key!, pauseMs: 0 });
  try {
    await changeAddress(page, botId, echo.endpoint);
    await open(page, `/bots/${botId}/conversations`, 'Conversations');
    await page.locator('a[data-conversation]').first().click();
    await page.getByRole('log', { name: 'Messages' }).getByRole('button', { name: 'Retry' }).click();
    await page.locator('[data-message]', { hasText: 'Two soups' }).nth(1).waitFor();
    await page.getByText('Failed', { exact: true }).first().waitFor({ state: 'detached' });
  } finally {
    await echo.stop();
  }
  done('sent again, it is delivered and answered');
}

async function changeAddress(page: Page, botId: string, url: string): Promise<void> {
  await open(page, `/bots/${botId}`, 'Walked bot');
  await page.getByLabel('Endpoint URL').fill(url);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The endpoint was saved.').first().waitFor();
}

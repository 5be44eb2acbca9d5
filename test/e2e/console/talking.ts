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

  await page.getByLabel('What the key is for').fill('Echo');
  await page.getByRole('button', { name: 'Make a key' }).click();
  const key = await page.locator('code', { hasText: 'bp_bak_' }).textContent();
  const echo = await startEchoBot({ apiUrl: local.apiUrl, token: key!, pauseMs: 0 });
  try {
    await page.getByLabel('URL').fill(echo.endpoint);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The address is saved.').waitFor();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('API_KEY');
    await page.getByLabel('Value', { exact: false }).and(page.locator('input')).fill('hunter2');
    await page.getByRole('button', { name: 'Set' }).click();
    await page.getByText('API_KEY').waitFor();
    assert.equal((await page.content()).includes('hunter2'), false);
    done('it gets a key, an address and a secret, which is not shown again');

    await page.getByRole('button', { name: 'Install chat' }).click();
    await page.getByText('Chat is installed.').waitFor();
    await page
      .locator('code', { hasText: '/chat/' })
      .or(page.locator('code', { hasText: '/webhook/' }))
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Show the code for a page' }).click();
    await page.getByLabel('Code for a page').getByText('<script').waitFor();
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
  await other.getByText('Nobody has talked to the bot yet.').waitFor();
  await page.getByRole('link', { name: 'Try it' }).click();
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByLabel('Message', { exact: true }).fill('Hello there');
  await page.keyboard.press('Enter');
  await page.locator('[data-from=bot]', { hasText: 'Hello there' }).waitFor();
  done('it answers in the chat pane');

  // Nothing is pressed in the other tab until the conversation is there.
  await other.getByRole('link', { name: /^convo_/ }).click();
  await other.getByRole('heading', { name: 'Conversation', level: 1 }).waitFor();
  await other.locator('[data-message]', { hasText: 'Hello there' }).nth(1).waitFor();
  await page.getByLabel('Message', { exact: true }).fill('And again');
  await page.keyboard.press('Enter');
  await other.locator('[data-message]', { hasText: 'And again' }).nth(1).waitFor();
  await other
    .locator('[data-message]', { hasText: 'Console' })
    .getByText('Delivered', { exact: true })
    .first()
    .waitFor();
  done('another tab sees the conversation appear, its messages as they are said, and that they were delivered');

  await page.reload();
  await page.locator('[data-from=you]', { hasText: 'And again' }).waitFor();
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
  await open(page, `/bots/${botId}/chat`, 'Try it');
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByLabel('Message', { exact: true }).fill('Two soups, please');
  await page.keyboard.press('Enter');

  await open(page, `/bots/${botId}/conversations`, 'Conversations');
  await page
    .getByRole('link', { name: /^convo_/ })
    .first()
    .click();
  const message = page.locator('[data-message]', { hasText: 'Two soups' }).last();
  await message.getByText('Not delivered', { exact: true }).waitFor();
  await message.getByText('The kitchen is closed').waitFor();
  await open(page, `/bots/${botId}/events`, 'Events');
  await page
    .getByRole('row', { name: /Not delivered/ })
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
    await page
      .getByRole('link', { name: /^convo_/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.locator('[data-message]', { hasText: 'Two soups' }).nth(1).waitFor();
    await page.getByText('Not delivered', { exact: true }).waitFor({ state: 'detached' });
  } finally {
    await echo.stop();
  }
  done('sent again, it is delivered and answered');
}

async function changeAddress(page: Page, botId: string, url: string): Promise<void> {
  await open(page, `/bots/${botId}`, 'Walked bot');
  await page.getByLabel('URL').fill(url);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The address is saved.').first().waitFor();
}

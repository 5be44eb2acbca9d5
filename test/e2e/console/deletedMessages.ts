/** Tests that a message which its author deletes leaves the inbox: the unread mark, the preview and the thread. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import type { Browser } from 'playwright-core';
import { adminClient, CONSOLE, call, done, local, newContext, signedIn, until } from './stage.ts';

// The package's ES module does not load in Node.
const chat: typeof import('@botpress/chat') = createRequire(import.meta.url)('@botpress/chat');

export async function testDeletedMessages(browser: Browser): Promise<void> {
  const { bot } = await adminClient().createBot({ name: `Bot of deletions ${Date.now().toString(36)}` });
  await adminClient().updateBot({
    id: bot.id,
    integrations: { chat: { integrationId: local.integrationId, enabled: true } },
  });
  const { bot: withChat } = await adminClient().getBot({ id: bot.id });
  const apiUrl = `${local.apiUrl}/chat/${withChat.integrations.chat!.webhookId}`;
  const client = await chat.Client.connect({ apiUrl });
  const { conversation } = await client.createConversation({});
  const say = (text: string) =>
    client.createMessage({ conversationId: conversation.id, payload: { type: 'text', text } });
  await say('Before');
  const { account } = await adminClient().getAccount({});
  await call('POST', '/chat/handoffs', { conversationId: conversation.id, accountId: account.id }, { botId: bot.id });
  const context = await newContext(browser);
  const page = await signedIn(context);
  await page.goto(`${CONSOLE}#/inbox?bot=${bot.id}&view=mine`);
  const item = page.locator(`[data-conversation="${conversation.id}"]`);
  await item.getByText('Before').waitFor();

  const { message } = await say('Oops');
  await item.getByText('Oops').waitFor();
  await item.getByLabel('Unread').waitFor();
  await client.deleteMessage({ id: message.id });
  await item.getByText('Before').waitFor();
  await item.getByLabel('Unread').waitFor({ state: 'detached' });
  await until(async () => {
    const { counts } = await call('GET', '/chat/handoff-counts', undefined, { botId: bot.id });
    return counts.unread === 0;
  });

  await item.click();
  const { message: second } = await say('Oops again');
  const shown = page.locator('[data-message]', { hasText: 'Oops again' });
  await shown.waitFor();
  await client.deleteMessage({ id: second.id });
  await shown.waitFor({ state: 'detached' });
  assert.equal(await page.locator('[data-message]', { hasText: 'Before' }).count(), 1);
  await context.close();
  done('removes a deleted message from the list and the thread, and its unread mark');
}

/** Tests the status of messages that the bot cannot process, and replies that grow. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { startEndpoint } from '#test/support/endpoint.ts';
import { adminClient, botClient, done, local } from './stage.ts';
import { bubbles, panel, say, storedSession } from './widgetSite.ts';

export async function testFailedMessage(page: Page, chatUrl: string): Promise<void> {
  const rejecting = await startEndpoint((_, response) => response.writeHead(422).end('{"message":"no"}'));
  const { botId: id, botUrl: url } = local;
  await adminClient().updateBot({ id, url: rejecting.url });
  const failed = panel(page).locator('.message.own', { hasText: 'Can you process this?' });
  try {
    await say(page, 'Can you process this?');
    await failed.getByText('This message could not be processed.').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Open the chat' }).click();
    await failed.getByText('This message could not be processed.').waitFor();
  } finally {
    await adminClient().updateBot({ id, url });
    rejecting.stop();
  }
  await failed.getByRole('button', { name: 'Send again' }).click();
  await bubbles(page, 'other', 'Can you process this?').waitFor();
  assert.equal(await panel(page).getByText('This message could not be processed.').count(), 0);
  assert.ok(await storedSession(page, chatUrl));
  done('marks a message that the bot could not process, even after a reload, and sends it again');
}

export async function testStreamedReply(page: Page, chatUrl: string): Promise<void> {
  const { conversationId } = await storedSession(page, chatUrl);
  const client = botClient(local.botId);
  const words = 'The soup of the day is leek with potatoes and bread'.split(' ');
  const { message } = await client.createMessage({
    conversationId,
    userId: local.botId,
    tags: {},
    type: 'markdown',
    payload: { markdown: words[0] },
  } as never);
  const bubble = panel(page).locator(`[data-message="${message.id}"] .bubble`);
  for (let count = 2; count <= words.length; count++) {
    const markdown = words.slice(0, count).join(' ');
    await client.updateMessage({ id: message.id, tags: {}, payload: { markdown } });
    await bubble.getByText(markdown, { exact: true }).waitFor();
  }
  assert.equal(await bubbles(page, 'other', words.join(' ')).count(), 1);
  done('shows a reply while the bot extends it');
}

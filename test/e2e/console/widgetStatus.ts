/** Tests the status of messages that the bot cannot process, and replies that grow. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { CuttingProxy } from '#test/support/cuttingProxy.ts';
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

const REPLY = `**Soups of the day**, all from *our* garden:

- leek with [potatoes](https://example.com/potatoes)
- tomato`;

/** Returns whether the browser's accessibility tree, which screen readers use, contains a text. */
async function isReadAloud(page: Page, text: string): Promise<boolean> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  return nodes.some(({ ignored, name }) => !ignored && String(name?.value).includes(text));
}

/** Sends the parts of a reply to the page as the server would. */
export async function testGrowingReply(page: Page, proxy: CuttingProxy, chatUrl: string): Promise<void> {
  const { conversationId } = await storedSession(page, chatUrl);
  const streamId = 'soups';
  const list = panel(page).getByRole('log');
  const entry = panel(page).locator(`[data-message="${streamId}"]`);
  const deltas = REPLY.match(/[\s\S]{1,4}/g)!;
  for (const [sequence, delta] of deltas.entries()) {
    const createdAt = new Date().toISOString();
    const data = { streamId, conversationId, userId: local.botId, createdAt, sequence, delta };
    proxy.sendFrame({ type: 'message_stream_delta', data });
    if (sequence !== 10) continue;
    await entry.locator('strong', { hasText: 'Soups of the day' }).waitFor();
    assert.doesNotMatch((await entry.textContent())!, /[*[\]]/);
    assert.equal(await isReadAloud(page, 'Soups of the day'), false);
  }
  await entry.locator('li', { hasText: 'tomato' }).waitFor();
  const element = (await entry.elementHandle())!;
  const isAtEnd = () => list.evaluate(each => each.scrollHeight - each.scrollTop - each.clientHeight < 2);
  assert.ok(await isAtEnd());
  const top = (await entry.boundingBox())!.y;

  const { message } = await botClient(local.botId).createMessage({
    conversationId,
    userId: local.botId,
    tags: {},
    type: 'markdown',
    payload: { markdown: REPLY },
  } as never);
  const { id, createdAt } = message;
  const final = { id, createdAt, conversationId, userId: local.botId, payload: { type: 'markdown', markdown: REPLY } };
  proxy.sendFrame({
    type: 'message_stream_complete',
    data: { streamId, message: { ...final, metadata: { streamId } } },
  });
  await entry.waitFor({ state: 'detached' });
  assert.equal(await bubbles(page, 'other', 'Soups of the day').count(), 1);
  assert.equal(await element.getAttribute('data-message'), message.id);
  assert.ok(Math.abs((await element.boundingBox())!.y - top) < 2 && (await isAtEnd()));
  assert.ok(await isReadAloud(page, 'Soups of the day'));
  done('shows a reply in parts as Markdown, and replaces it by the final message without a jump');
}

/** Tests what a visitor sees of an assignee. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { adminClient, done, local } from './stage.ts';
import { bubbles, panel, say, storedSession } from './widgetSite.ts';

const NAME = 'Ada of the shop';

// biome-ignore lint/suspicious/noExplicitAny: fields of several responses
async function asMember(method: string, path: string, body: object = {}): Promise<any> {
  const response = await fetch(`${local.apiUrl}/v1/chat/handoffs${path}`, {
    method,
    headers: {
      authorization: `Bearer ${local.tokens.owner}`,
      'x-workspace-id': local.workspaceId,
      'x-bot-id': local.botId,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  assert.ok(response.ok, await response.clone().text());
  return response.json();
}

export async function testMemberInWidget(page: Page, chatUrl: string): Promise<void> {
  const { conversationId } = await storedSession(page, chatUrl);
  const before = (await adminClient().getAccount({})).account;
  await adminClient().updateAccount({ displayName: NAME });
  const chat = panel(page);

  const { handoff } = await asMember('POST', '', { conversationId });
  await chat.getByText('Waiting for a person …').waitFor();
  await asMember('POST', `/${handoff.id}/assign`);
  await chat.getByText(`You are talking to ${NAME}`).waitFor();
  await asMember('POST', `/${handoff.id}/typing`);
  await chat.locator('.typing').waitFor();
  for (const text of ['Hello from Ada', 'How can I help?']) {
    await asMember('POST', `/${handoff.id}/messages`, { type: 'text', payload: { text } });
    await bubbles(page, 'other', text).waitFor();
  }
  assert.equal(await chat.locator('.author', { hasText: NAME }).count(), 1);
  await say(page, 'Where is my parcel?');

  await page.reload();
  await page.getByRole('button', { name: 'Open the chat' }).click();
  await chat.getByText(`You are talking to ${NAME}`).waitFor();
  await chat.locator('.author', { hasText: NAME }).waitFor();
  await asMember('POST', `/${handoff.id}/end`);
  await chat.getByText('You are talking to').waitFor({ state: 'detached' });
  await say(page, 'Are you there?');
  await bubbles(page, 'other', 'Are you there?').waitFor();
  await adminClient().updateAccount({ displayName: before.displayName ?? '' });
  done('shows that a conversation waits for a person, their name, typing and messages, and when they have left');
}

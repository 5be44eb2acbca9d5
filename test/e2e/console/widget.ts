/** Tests the widget in a page of another origin with the demo's bot, all message types and network failures. */
import assert from 'node:assert/strict';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { signUserKey } from '#shared/api/chat/userKey.ts';
import { startCuttingProxy } from '#test/support/cuttingProxy.ts';
import { botClient, call, done, local, newContext, until } from './stage.ts';
import { testWidgetTextDirection } from './textDirection.ts';
import { testPageApi } from './widgetApi.ts';
import { testBrand, testGreeting, testPageTheme } from './widgetBrand.ts';
import { sendAsBot, testMarkupInWidget, testMessageTypes } from './widgetKinds.ts';
import { testLanguages, testPhoneLayout, testWidgetAccessibility } from './widgetLooks.ts';
import { testMemberInWidget } from './widgetMember.ts';
import { testNetworkFailures, testOffline, testTwoTabs } from './widgetNetwork.ts';
import { testDemoPage, testOrigins } from './widgetOrigins.ts';
import { testPackage } from './widgetPackage.ts';
import {
  bubbles,
  focused,
  launcher,
  MEDIA,
  openChat,
  panel,
  type Site,
  say,
  startSite,
  storedSession,
} from './widgetSite.ts';
import { testFailedMessage, testGrowingReply, testStreamedReply } from './widgetStatus.ts';
import { testTabs } from './widgetTabs.ts';
import { testPageUser } from './widgetUser.ts';

export async function testWidget(browser: Browser): Promise<void> {
  const [site, proxy] = await Promise.all([startSite(), startCuttingProxy(local.apiUrl)]);
  const chatUrl = local.chatUrl.replace(local.apiUrl, proxy.origin);
  try {
    const context = await newContext(browser);
    const page = await talk(context, site, chatUrl);
    await testNetworkFailures(page, proxy, chatUrl);
    await testOffline(page, proxy, chatUrl);
    await testTwoTabs(page, site, proxy, chatUrl);
    await testFailedMessage(page, chatUrl);
    await testStreamedReply(page, chatUrl);
    await testGrowingReply(page, proxy, chatUrl);
    await testUnreadCount(page, chatUrl);
    await testMessageTypes(page, chatUrl);
    const unguarded = await site.visit(context, { chatUrl, attributes: MEDIA, hasNoPolicy: true });
    await openChat(unguarded);
    await testMarkupInWidget(unguarded, chatUrl);
    await unguarded.close();
    await type(page, chatUrl);
    await testMemberInWidget(page, chatUrl);
    await context.close();
    await upload(browser, site);
    await testLanguages(browser, site);
    await testWidgetAccessibility(browser, site, chatUrl);
    await testPhoneLayout(browser, site);
    await testIdentifiedUser(browser, site);
    await testTabs(browser, site);
    await testWidgetTextDirection(browser, site);
    await testPageApi(browser, site);
    await testGreeting(browser, site);
    await testBrand(browser, site);
    await testPageTheme(browser, site);
    await testPageUser(browser, site);
    await testPackage(browser, site);
    await testOrigins(browser);
    await testDemoPage(browser);
  } finally {
    proxy.stop();
    site.stop();
  }
}

/** Uses only the keyboard. */
async function talk(context: BrowserContext, site: Site, chatUrl: string): Promise<Page> {
  const page = await site.visit(context, { chatUrl, attributes: MEDIA });
  const calls: string[] = [];
  page.on('request', request => calls.push(request.url()));
  await launcher(page).waitFor();
  await page.waitForTimeout(500);
  assert.deepEqual(
    calls.filter(url => url.startsWith(chatUrl) && !url.endsWith('/widget')),
    [],
  );
  await launcher(page).press('Enter');
  await panel(page).waitFor();
  assert.equal(await focused(page), 'TEXTAREA');
  await page.keyboard.type('Hello there');
  await page.keyboard.press('Enter');
  await bubbles(page, 'own', 'Hello there').waitFor();
  await bubbles(page, 'other', 'Hello there').waitFor();
  await page.keyboard.press('Escape');
  await panel(page).waitFor({ state: 'detached' });
  assert.equal(await focused(page), 'BUTTON');
  done('sends no request before it is opened, shows the reply, and moves and restores the focus by keyboard');

  const before = await storedSession(page, chatUrl);
  await page.reload();
  await openChat(page);
  // The connection may deliver the reply before the messages were read.
  for (const from of ['own', 'other'] as const) await bubbles(page, from, 'Hello there').waitFor();
  assert.equal(await bubbles(page, 'own', 'Hello there').count(), 1);
  await say(page, 'Still there?');
  await bubbles(page, 'other', 'Still there?').waitFor();
  const after = await storedSession(page, chatUrl);
  assert.deepEqual([after.userId, after.conversationId], [before.userId, before.conversationId]);
  done('keeps the user, the conversation and its messages when reloaded');
  return page;
}

async function testUnreadCount(page: Page, chatUrl: string): Promise<void> {
  const { conversationId } = await storedSession(page, chatUrl);
  await page.keyboard.press('Escape');
  await sendAsBot(conversationId, 'text', { text: 'One' });
  await page.getByRole('button', { name: 'Open the chat, 1 unread message' }).waitFor();
  await sendAsBot(conversationId, 'text', { text: 'Two' });
  await page.getByRole('button', { name: 'Open the chat, 2 unread messages' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Open the chat, 2 unread messages' }).click();
  await bubbles(page, 'other', 'Two').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Open the chat', exact: true }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Open the chat', exact: true }).waitFor();
  const { participant } = await until(async () => {
    const response = await fetch(
      `${chatUrl}/conversations/${conversationId}/participants/${(await storedSession(page, chatUrl)).userId}`,
      {
        headers: {
          'x-user-key': await page.evaluate(
            name => JSON.parse(localStorage.getItem(name)!).userKey,
            `parley-chat:${chatUrl}`,
          ),
        },
      },
    );
    const answer = (await response.json()) as { participant: { lastReadMessageId?: string } };
    return answer.participant.lastReadMessageId ? answer : undefined;
  });
  assert.match(participant.lastReadMessageId!, /^msg_/);
  await openChat(page);
  done('counts unread messages while closed and after a reload, and marks them as read once opened');
}

async function type(page: Page, chatUrl: string): Promise<void> {
  const { conversationId } = await storedSession(page, chatUrl);
  // Only people see typing.
  const { handoff } = await call('POST', '/chat/handoffs', { conversationId }, { botId: local.botId });
  await panel(page).getByText('Waiting for a person …').waitFor();
  const told = page.waitForRequest(
    request => request.url().endsWith('/typing') && request.postData() === '{"isTyping":true}',
  );
  await panel(page).locator('textarea').pressSequentially('I am');
  await told;
  const untold = page.waitForRequest(
    request => request.url().endsWith('/typing') && request.postData() === '{"isTyping":false}',
  );
  await panel(page).locator('textarea').fill('');
  await untold;
  await call('POST', `/chat/handoffs/${handoff.id}/end`, {}, { botId: local.botId });
  const client = botClient(local.botId);
  await until(async () => {
    // Retried, because a listener that is still connecting misses it.
    await client.callAction({ type: 'chat:startTypingIndicator', input: { conversationId } });
    return panel(page).locator('.typing').isVisible();
  });
  await client.callAction({ type: 'chat:stopTypingIndicator', input: { conversationId } });
  await panel(page).locator('.typing').waitFor({ state: 'detached' });
  done('sends and shows typing indicators');
}

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function upload(browser: Browser, site: Site): Promise<void> {
  const context = await newContext(browser);
  const page = await site.visit(context, { chatUrl: local.webchatUrl, attributes: { 'data-uploads': '' } });
  await openChat(page);
  const input = panel(page).locator('input[type=file]');
  await input.setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: PICTURE });
  for (const from of ['own', 'other']) {
    const picture = panel(page).locator(`.message.${from} img`).first();
    await picture.waitFor();
    await page.waitForFunction(
      image => (image as unknown as { naturalWidth: number }).naturalWidth === 1,
      await picture.elementHandle(),
    );
  }
  await input.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') });
  await panel(page).locator('.message.other').getByRole('link', { name: 'notes.txt' }).waitFor();
  await input.setInputFiles({ name: 'big.bin', mimeType: 'x/y', buffer: Buffer.alloc(25 * 1024 * 1024 + 1) });
  await panel(page).getByText('A file can have at most 25 MB.').waitFor();

  const closed = await site.visit(context, { chatUrl: local.chatUrl, attributes: { 'data-uploads': '' } });
  await openChat(closed);
  await panel(closed)
    .locator('input[type=file]')
    .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: PICTURE });
  await panel(closed).getByText('This installation does not accept files.').waitFor();
  await context.close();
  done('uploads and shows files, and rejects one that is too large or not allowed with a message');
}

/** Tests an identified user, who resumes the conversation in another browser. */
async function testIdentifiedUser(browser: Browser, site: Site): Promise<void> {
  const id = `ada-${Date.now().toString(36)}`;
  const attributes = {
    'data-user-key': signUserKey(local, { id }),
    'data-storage': 'session',
  };
  for (const text of ['From my desk', 'From elsewhere']) {
    const context = await newContext(browser);
    const page = await site.visit(context, { chatUrl: local.chatUrl, attributes });
    await openChat(page);
    await say(page, text);
    await bubbles(page, 'other', text).waitFor();
    await bubbles(page, 'own', 'From my desk').waitFor();
    assert.equal(await page.evaluate('Object.keys(localStorage).length'), 0);
    assert.equal((await page.evaluate<string>('JSON.stringify(sessionStorage)')).includes('eyJ'), false);
    await context.close();
  }
  done("resumes an identified user's conversation in another browser without storing the key");
}

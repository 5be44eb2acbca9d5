/** The widget's script interface and actions of bots. */
import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { botClient, done, local, newContext, until } from './stage.ts';
import { bubbles, launcher, panel, type Site, say, storedSession } from './widgetSite.ts';

const run = <Value>(page: Page, script: string): Promise<Value> => page.evaluate(script);

export async function testPageApi(browser: Browser, site: Site): Promise<void> {
  const context = await newContext(browser);
  const page = await site.visit(context, { chatUrl: 'https://nowhere' });
  const warnings: string[] = [];
  page.on('console', message => warnings.push(message.text()));
  await page.reload();
  await until(async () => warnings.some(text => text.includes('data-chat-url must be the address')));
  assert.equal(await launcher(page).count(), 0);

  await run(
    page,
    `ParleyChat.show({ chatUrl: '${local.webchatUrl}', title: 'Help', theme: 'dark', storage: 'session' })`,
  );
  await run(page, `ParleyChat.show({ chatUrl: '${local.webchatUrl}', title: 'Help', theme: 'dark' })`);
  await launcher(page).waitFor();
  assert.equal(await launcher(page).count(), 1);
  await run(
    page,
    `window.received = []; for (const name of ['open', 'close', 'unread', 'event'])
    ParleyChat.chat.on(name, detail => received.push([name, detail]))`,
  );
  await run(page, 'ParleyChat.chat.open()');
  await panel(page).getByText('Help').waitFor();
  await say(page, 'Hello');
  await bubbles(page, 'other', 'Hello').waitFor();
  await run(page, 'ParleyChat.chat.close()');
  await panel(page).waitFor({ state: 'detached' });
  done('is added, opened and closed by a script, and explains an invalid URL of the tag');

  const { conversationId } = await storedSession(page, local.webchatUrl);
  const bot = botClient(local.deployedBotId);
  await bot.callAction({ type: 'webchat:showWebchat', input: { conversationId } });
  await panel(page).waitFor();
  await bot.callAction({ type: 'webchat:hideWebchat', input: { conversationId } });
  await panel(page).waitFor({ state: 'detached' });
  await bot.callAction({ type: 'webchat:customEvent', input: { conversationId, event: '{"soup":1}' } });
  await bot.createMessage({
    conversationId,
    userId: local.deployedBotId,
    tags: {},
    type: 'text',
    payload: { text: 'News' },
  });
  const received = await until(async () => {
    const all = await run<[string, unknown][]>(page, 'received');
    return all.some(([name]) => name === 'unread') && all.some(([name]) => name === 'event') && all;
  });
  assert.deepEqual(
    received.filter(([name]) => name === 'open' || name === 'close').map(([name]) => name),
    ['open', 'close', 'open', 'close'],
  );
  assert.ok(received.some(([name, detail]) => name === 'event' && (detail as { soup?: number }).soup === 1));
  assert.equal(await run(page, 'ParleyChat.chat.unread'), 1);
  await run(page, 'ParleyChat.chat.sendEvent({ type: "visited" })');
  await until(async () => {
    const { events } = await bot.listEvents({ conversationId, type: 'webchat:custom' });
    return events.some(({ payload }) => (payload.payload as { type?: string })?.type === 'visited');
  });
  done('is opened and closed by the bot, and exchanges events between bot and page');

  const before = (await storedSession(page, local.webchatUrl)).userId;
  await run(page, 'ParleyChat.chat.identify()');
  await run(page, 'ParleyChat.chat.open()');
  await say(page, 'Another user');
  await bubbles(page, 'other', 'Another user').waitFor();
  assert.notEqual((await storedSession(page, local.webchatUrl)).userId, before);
  assert.equal(await bubbles(page, 'own', 'Hello').count(), 0);
  await run(page, 'ParleyChat.chat.remove()');
  await launcher(page).waitFor({ state: 'detached' });
  await context.close();
  done('deletes the data of a user who signs out');
}

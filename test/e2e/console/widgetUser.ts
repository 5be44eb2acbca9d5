/** Tests what a page sets and receives: details of the user, messages, and events. */
import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { signUserKey } from '#shared/api/chat/userKey.ts';
import { botClient, done, local, newContext, open, signedIn, until } from './stage.ts';
import { bubbles, openChat, panel, type Site, storedSession } from './widgetSite.ts';

const { chatUrl } = local;
const run = <Value>(page: Page, script: string): Promise<Value> => page.evaluate(script);
const USER = { name: 'Ada <b>Lovelace</b>', attributes: { plan: 'pro <i>', seats: 3 } };

export async function testPageUser(browser: Browser, site: Site): Promise<void> {
  const context = await newContext(browser);
  const page = await site.visit(context, { chatUrl, attributes: { 'data-user-name': 'Ada' } });
  await page.waitForFunction('window.ParleyChat');
  await run(
    page,
    `window.received = []; for (const name of ['ready', 'message'])
    ParleyChat.chat.on(name, detail => received.push([name, detail]))`,
  );
  await run(page, `ParleyChat.chat.setUser(${JSON.stringify(USER)})`);
  assert.equal(await storedSession(page, chatUrl).then(({ userId }) => userId), undefined);
  await run(page, `ParleyChat.chat.send('Sent while closed')`);
  const { conversationId, userId } = await storedSession(page, chatUrl);
  assert.equal(await panel(page).count(), 0);
  await page.getByRole('button', { name: 'Open the chat, 1 unread message' }).waitFor();
  await openChat(page);
  await bubbles(page, 'own', 'Sent while closed').waitFor();
  const received = await run<[string, Record<string, unknown>][]>(page, 'received');
  assert.deepEqual(
    received.map(([name, { author, text, type, conversationId: id }]) => [name, author ?? id, type, text]),
    [
      ['ready', conversationId, undefined, undefined],
      ['message', 'user', 'text', 'Sent while closed'],
      ['message', 'bot', 'text', 'Sent while closed'],
    ],
  );
  await page.reload();
  await openChat(page);
  await bubbles(page, 'other', 'Sent while closed').waitFor();
  await run(
    page,
    `window.received = []; ParleyChat.chat.on('message', () => received.push('message'));
    ParleyChat.chat.on('ready', ({ userId }) => received.push(userId))`,
  );
  await until(async () => (await run<string[]>(page, 'received')).includes(userId));
  assert.deepEqual(await run(page, 'received'), [userId]);
  assert.match(
    await run<string>(page, `ParleyChat.chat.send('').catch(error => error.message)`),
    /must be a text of 1 to 10000/,
  );
  done('sends a message while closed, and passes ready and new messages to the page');

  const { user } = await botClient(local.botId).getUser({ id: userId });
  const { name, attributes } = user as typeof user & { attributes?: object };
  assert.deepEqual({ name, attributes }, { name: 'Ada', attributes: { plan: 'pro <i>', seats: '3' } });
  const agent = await signedIn(context);
  await open(agent, `/inbox/${local.botId}/${conversationId}?bot=${local.botId}&view=all`, /./);
  await agent.getByRole('button', { name: 'Details' }).click();
  await agent.getByText('Set by the website, not verified').waitFor();
  await agent.getByText('pro <i>').waitFor();
  await context.close();
  done("passes the user's name and attributes to the bot and the inbox");

  const id = `ada-${Date.now().toString(36)}`;
  const userKey = signUserKey(local, { id });
  const signed = await newContext(browser);
  const member = await site.visit(signed, { chatUrl, attributes: { 'data-user-key': userKey } });
  await openChat(member);
  await run(member, `ParleyChat.chat.setUser(${JSON.stringify(USER)})`);
  await until(async () => {
    const response = await fetch(`${chatUrl}/users/me`, { headers: { 'x-user-key': userKey } });
    return response.ok && ((await response.json()) as { user: { name?: string } }).user.name === USER.name;
  });
  for (const invalid of [
    { pictureUrl: 'javascript:alert(1)' },
    { name: 'x'.repeat(1_000_000) },
    { attributes: { a: {} } },
  ]) {
    const script = `try { ParleyChat.chat.setUser(${JSON.stringify(invalid)}) } catch (error) { error.message }`;
    assert.match(await run<string>(member, script), /of a user/);
  }
  await signed.close();
  done('sets the name of a user with a signed key, and rejects invalid details');
}

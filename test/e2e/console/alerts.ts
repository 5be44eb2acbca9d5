/** Alerts of two members in two browsers, one of them with two tabs. */
import assert from 'node:assert/strict';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { violationsIn } from './accessibility.ts';
import { type EndUser, newEndUser } from './endUser.ts';
import { newAgent } from './inbox.ts';
import { adminClient, CONSOLE, call, done, local, newContext, open, PHONE, signedIn, until } from './stage.ts';

const unique = () => Date.now().toString(36);
const item = (page: Page, name: string) => page.locator('a[data-conversation]', { hasText: name });
const message = (page: Page, text: string) => page.locator('[data-message]', { hasText: text });

/** Headless browsers show no notifications, so the page records those that it creates, and the tones. */
const recorder = (permission: string) => `
  window.alerted = [];
  window.tones = 0;
  window.permission = '${permission}';
  window.Notification = class {
    static get permission() { return window.permission; }
    static async requestPermission() { return (window.permission = 'granted'); }
    constructor(title) { this.title = title; window.alerted.push(this); }
    close() {}
  };
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...when) { window.tones++; return start.apply(this, when); };
`;

async function newBrowser(browser: Browser, permission = 'granted', viewport?: typeof PHONE): Promise<BrowserContext> {
  const context = await newContext(browser, viewport);
  await context.addInitScript(recorder(permission));
  return context;
}

/** All alerts of the tabs of a person, in order of the test. */
function watcher(...pages: Page[]) {
  const expected: string[] = [];
  const titles = async () =>
    (await Promise.all(pages.map(page => page.evaluate<string[]>('window.alerted.map(({ title }) => title)')))).flat();
  const check = async () => assert.deepEqual((await titles()).toSorted(), expected.toSorted());
  return {
    /** Waits for one more alert. Fails if there was another one since the last call. */
    async next(title: string): Promise<void> {
      expected.push(title);
      await until(async () => (await titles()).length >= expected.length);
      await check();
    },
    check,
  };
}

const enqueue = async (botId: string, user: EndUser, reason?: string): Promise<string> =>
  (await call('POST', '/chat/handoffs', { conversationId: user.id, reason }, { botId })).handoff.id;

export async function testAlerts(browser: Browser): Promise<void> {
  const { bot } = await adminClient().createBot({ name: `Bot of the alerts ${unique()}` });
  await adminClient().updateBot({
    id: bot.id,
    integrations: { chat: { integrationId: local.integrationId, enabled: true } },
  });
  await call('PUT', '/admin/account/me', { displayName: 'Olivia' });
  const token = await newAgent(`Ben ${unique()}`);
  const users: EndUser[] = [];
  for (const name of ['Ada', 'Grace', 'Edsger', 'Hedy']) {
    users.push(await newEndUser(bot.id, name));
    await users.at(-1)!.say(`Hello from ${name}`);
  }

  const ofBen = await newBrowser(browser);
  const account = await signedIn(ofBen, token, 'Inbox');
  await testSettings(account);
  await twoMembers(browser, ofBen, account, token, bot.id, users);
  await ofBen.close();
  await withoutNotices(browser, token, bot.id, users[3]!);
  await settingsFollow(browser, token);
  await permissions(browser, token);
  await viewers(browser);
  await looks(browser, token);
  await Promise.all(users.map(each => each.leave()));
}

const section = (page: Page) => page.getByRole('region', { name: 'Notifications', exact: true });

async function testSettings(page: Page): Promise<void> {
  await open(page, '/account', 'Account');
  assert.equal(await section(page).getByLabel('Alert me about').inputValue(), 'everything');
  await section(page).getByRole('button', { name: 'Test' }).click();
  await section(page).getByText('A sound was played and a notification shown.').waitFor();
  assert.equal(await page.evaluate('window.tones'), 2);
  await page.evaluate('window.alerted.length = 0; window.tones = 0');
  done('alerts about every event by default, and tests sound and notification');
}

async function twoMembers(
  browser: Browser,
  ofBen: BrowserContext,
  account: Page,
  token: string,
  botId: string,
  [ada, grace, edsger]: EndUser[],
): Promise<void> {
  const ofOlivia = await newBrowser(browser);
  const olivia = await signedIn(ofOlivia);
  const inbox = await ofBen.newPage();
  await inbox.goto(`${CONSOLE}#/inbox?bot=${botId}`);
  await inbox.getByText('Nobody is waiting').waitFor();
  const [ben, own] = [watcher(account, inbox), watcher(olivia)];

  const adaId = await enqueue(botId, ada!, 'Late parcel');
  await ben.next('Waiting: Ada – Late parcel');
  assert.equal(await account.evaluate('window.tones'), 2);
  done('alerts once in two tabs, with a sound, to a conversation in the queue');

  await olivia.getByRole('link', { name: 'Members' }).click();
  await olivia.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
  await until(async () => /^\([1-9]\d*\+?\) Members/.test(await olivia.title()));
  const icon = await olivia.locator('link[rel="icon"]').getAttribute('href');
  assert.match(icon ?? '', /^data:image\/svg/);
  await olivia.getByTitle(/^\d+ waiting$/).waitFor();
  done('counts on every page, in the title, the icon and the sidebar');

  await item(inbox, 'Ada').click();
  await inbox.getByRole('button', { name: 'Take over', exact: true }).click();
  await inbox.getByText('Assigned to you').first().waitFor();
  await ada!.say('Are you there?');
  await message(inbox, 'Are you there?').waitFor();
  const ids = await Promise.all([enqueue(botId, grace!), enqueue(botId, edsger!)]);
  await ben.next('2 new conversations');
  done('merges alerts; does not alert to own actions and to the open conversation');

  const me = (await call('GET', '/admin/account/me', undefined, { token })).account.id;
  await call('POST', `/chat/handoffs/${ids[0]}/assign`, { accountId: me }, { botId });
  await ben.next('Assigned to you: Grace');
  await grace!.say('Can I pay by invoice?');
  await ben.next('Grace');
  done('alerts to an assignment by another member, and to a message');

  await inbox.evaluate('document.hasFocus = () => false; dispatchEvent(new Event("blur"))');
  await ada!.say('I am still waiting');
  await ben.next('Ada');
  const tab = (await account.evaluate<number>('window.alerted.length')) > 0 ? account : inbox;
  await tab.evaluate('window.alerted.at(-1).onclick()');
  await message(tab, 'I am still waiting').waitFor();
  done('alerts to the open conversation without the focus, and opens it by a click');

  await call('POST', `/chat/handoffs/${adaId}/assign`, { accountId: null }, { botId, token });
  await own.next('Waiting: Ada – Late parcel');
  await ben.check();
  done('alerts the other member to a returned conversation, and to none of her own changes');

  await account.close();
  await call('POST', `/chat/handoffs/${adaId}/assign`, { accountId: me }, { botId });
  await watcher(inbox).next('Assigned to you: Ada');
  done('continues in another tab after the first one was closed');
  await call('POST', `/chat/handoffs/${ids[1]}/end`, {}, { botId });
  await ofOlivia.close();
}

/** A proxy that blocks WebSockets. */
async function withoutNotices(browser: Browser, token: string, botId: string, hedy: EndUser): Promise<void> {
  const context = await newBrowser(browser);
  await context.routeWebSocket(/\/socket\?/, socket => void socket.close());
  const page = await signedIn(context, token, 'Inbox');
  await open(page, '/account', 'Account');
  await until(async () => /^\(\d+\) /.test(await page.title()));
  await enqueue(botId, hedy, 'No push');
  await watcher(page).next('Waiting: Hedy – No push');
  await context.close();
  done('alerts by polling where WebSockets are blocked');
}

async function settingsFollow(browser: Browser, token: string): Promise<void> {
  const [here, there] = [await newBrowser(browser), await newBrowser(browser)];
  const [one, other] = [await signedIn(here, token, 'Inbox'), await signedIn(there, token, 'Inbox')];
  await open(one, '/account', 'Account');
  assert.equal(await section(one).getByLabel('Alert me about').inputValue(), 'everything');
  const saved = () => one.waitForResponse(response => /preferences/.test(response.url()) && response.ok());
  await Promise.all([
    saved(),
    section(one)
      .getByLabel(/starts to wait/)
      .click(),
  ]);
  await Promise.all([saved(), section(one).getByLabel('Play a sound').click()]);

  await open(other, '/account', 'Account');
  await other.reload();

  await section(other).getByLabel('Alert me about').waitFor();
  assert.equal(await section(other).getByLabel('Alert me about').inputValue(), 'mine');
  assert.equal(await section(other).getByLabel('Play a sound').isChecked(), false);
  await Promise.all([here.close(), there.close()]);
  done('keeps the settings in another browser, also after a reload');
}

async function permissions(browser: Browser, token: string): Promise<void> {
  const denying = await newBrowser(browser, 'denied');
  const denied = await signedIn(denying, token, 'Inbox');
  assert.equal(await denied.getByRole('note', { name: 'Notifications' }).count(), 0);
  await open(denied, '/account', 'Account');
  await section(denied).getByText('Your browser blocks notifications of this page.').waitFor();
  await denying.close();

  const asking = await newBrowser(browser, 'default');
  const page = await signedIn(asking, token, 'Inbox');
  const hint = page.getByRole('note', { name: 'Notifications' });
  await hint.waitFor();
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/alerts-hint.png` });
  await hint.getByRole('button', { name: 'Turn on' }).click();
  await hint.waitFor({ state: 'detached' });
  assert.equal(await page.evaluate('window.permission'), 'granted');
  await asking.close();
  done('asks for the permission by a click, and explains a denied one');
}

async function viewers(browser: Browser): Promise<void> {
  const context = await newBrowser(browser, 'default');
  const page = await signedIn(context, await newAgent(`Vera ${unique()}`, 'viewer'));
  await open(page, '/account', 'Account');
  await page.getByTitle(/^\d+ waiting$/).waitFor();
  assert.equal(await section(page).count(), 0);
  assert.match(await page.title(), /^Account/);
  await open(page, '/inbox', 'Inbox');
  assert.equal(await page.getByRole('note', { name: 'Notifications' }).count(), 0);
  await context.close();
  done('does not alert members who cannot answer');
}

async function looks(browser: Browser, token: string): Promise<void> {
  const faults: string[] = [];
  for (const [name, viewport, scheme] of [
    ['light', undefined, 'light'],
    ['dark', undefined, 'dark'],
    ['phone', PHONE, 'light'],
  ] as const) {
    const context = await newBrowser(browser, 'default', viewport);
    const page = await signedIn(context, token, 'Inbox');
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await page.getByRole('note', { name: 'Notifications' }).waitFor();
    faults.push(...(await violationsIn(page)).map(each => `inbox, ${name}: ${each}`));
    await open(page, '/account', 'Account');
    await section(page).getByRole('button', { name: 'Test' }).waitFor();
    await section(page).getByLabel('Play a sound').check();
    await section(page).getByRole('slider', { name: 'Volume' }).waitFor();
    faults.push(...(await violationsIn(page)).map(each => `settings, ${name}: ${each}`));
    if (await page.evaluate('document.documentElement.scrollWidth > window.innerWidth')) faults.push(`${name}: wide`);
    await section(page).scrollIntoViewIfNeeded();
    if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/alerts-${name}.png` });
    await context.close();
  }
  assert.deepEqual(faults, []);
  done('shows the settings accessibly, light, dark and on a phone');
}

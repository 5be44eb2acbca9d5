/** Counts the requests of an inbox: when it opens, as messages arrive, while nothing happens, and without notices. */
import assert from 'node:assert/strict';
import type { Browser, Page, Request } from 'playwright-core';
import { type EndUser, newEndUser } from './endUser.ts';
import { adminClient, CONSOLE, call, done, local, newContext, signedIn, until } from './stage.ts';

const NAMES = ['Alan', 'Barbara', 'Claude', 'Donald', 'Edsger', 'Frances', 'Gordon', 'Hedy'];
const TO_OPEN = 6;
const PER_IDLE_MINUTE = 2;
/** After the last notice, lists are read once more. */
const SETTLED_MS = 10_000;
const MINUTE_MS = 60_000;

const row = (page: Page, name: string) => page.locator('a[data-conversation]', { hasText: name });

export async function testInboxRequests(browser: Browser): Promise<void> {
  const { bot } = await adminClient().createBot({ name: 'Bot of a quiet inbox' });
  await adminClient().updateBot({
    id: bot.id,
    integrations: { chat: { integrationId: local.integrationId, enabled: true } },
  });
  const users: EndUser[] = [];
  for (const name of NAMES) {
    const user = await newEndUser(bot.id, name);
    await user.say(`Hello from ${name}`);
    await call('POST', '/chat/handoffs', { conversationId: user.id, reason: 'Help' }, { botId: bot.id });
    users.push(user);
  }
  await countRequests(browser, bot.id, users);
  await withoutNotices(browser, bot.id, users[0]!);
  await Promise.all(users.map(user => user.leave()));
}

async function countRequests(browser: Browser, botId: string, users: readonly EndUser[]): Promise<void> {
  const context = await newContext(browser);
  const page = await signedIn(context);
  await page.clock.install();
  const requests = watchRequests(page);
  await page.goto(`${CONSOLE}#/inbox?bot=${botId}`);
  await row(page, NAMES[0]!).waitFor();
  await page.waitForLoadState('networkidle');
  requests.splice(0);
  // As a member who opens a bookmark: nothing is cached.
  await page.reload();
  for (const name of NAMES) await row(page, name).getByText(`Hello from ${name}`).waitFor();
  await page.getByRole('link', { name: `Waiting ${NAMES.length}` }).waitFor();
  assert.ok(requests.length <= TO_OPEN, `Opening took ${requests.length} requests: ${requests.join(', ')}`);
  done(`opens the inbox with ${requests.length} requests, whatever the number of conversations`);

  await idle(page, requests, 'the inbox');
  await page.clock.runFor(MINUTE_MS);
  await row(page, NAMES[0]!)
    .getByText(/^([2-9]|\d\d) min$/)
    .waitFor();
  done('counts the waiting time of an idle inbox');
  await users[3]!.say('Is anybody there?');
  await row(page, NAMES[3]!).getByText('Is anybody there?').waitFor();
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/inbox-live.png` });
  done('shows a new message in its row, and reads only what it concerns');

  await row(page, NAMES[3]!).click();
  await page.locator('[data-message]', { hasText: 'Is anybody there?' }).waitFor();
  await page.getByRole('button', { name: 'Take over', exact: true }).click();
  await page.getByText('Assigned to you', { exact: true }).first().waitFor();
  await users[3]!.say('Thank you for taking over');
  await page.locator('[data-message]', { hasText: 'Thank you for taking over' }).waitFor();
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/inbox-open.png` });
  await idle(page, requests, 'an open conversation');
  await context.close();
}

/** Runs the page's timers for a minute, again if notices of earlier changes arrived meanwhile. */
async function idle(page: Page, requests: string[], what: string): Promise<void> {
  await page.clock.runFor(SETTLED_MS);
  await until(async () => {
    await page.waitForLoadState('networkidle');
    requests.splice(0);
    await page.clock.runFor(MINUTE_MS);
    await page.waitForLoadState('networkidle');
    return requests.length <= PER_IDLE_MINUTE;
  }).catch(() => assert.fail(`${what} sends ${requests.length} requests in an idle minute: ${requests.join(', ')}`));
  done(`sends ${requests.length} requests in an idle minute of ${what}`);
}

/** Records the requests to the API. */
export function watchRequests(page: Page): string[] {
  const requests: string[] = [];
  page.on('request', (request: Request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/v1/') && request.method() !== 'OPTIONS') requests.push(`${request.method()} ${pathname}`);
  });
  return requests;
}

/** A proxy that blocks WebSockets. */
async function withoutNotices(browser: Browser, botId: string, user: EndUser): Promise<void> {
  const context = await newContext(browser);
  await context.routeWebSocket(/\/socket\?/, socket => void socket.close());
  const page = await signedIn(context);
  await page.goto(`${CONSOLE}#/inbox?bot=${botId}`);
  await row(page, NAMES[0]!).getByText(`Hello from ${NAMES[0]}`).waitFor();
  await user.say('By another way');
  await row(page, NAMES[0]!).getByText('By another way').waitFor();
  await context.close();
  done('polls where WebSockets are blocked');
}

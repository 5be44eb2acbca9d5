/** Opens the inbox of a workspace in which thousands of conversations wait, and measures how it scrolls. */
import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { framesDuring, recordFrames } from './frameTimes.ts';
import { watchRequests } from './inboxRequests.ts';
import { adminClient, botClient, CONSOLE, call, done, newContext, say, signedIn } from './stage.ts';

const WAITING = Number(process.env.WAITING ?? 10_000);
const BOTS = 4;
const CONCURRENT_CALLS = 16;
const TO_OPEN = 6;
const SCROLL_MS = 15_000;
/** One notch of a mouse wheel. */
const WHEEL_PX = 100;
const WHEEL_EVERY_MS = 16;

export async function measureQueue(browser: Browser): Promise<void> {
  await fillQueue();
  const page = await signedIn(await newContext(browser));
  await page.goto(`${CONSOLE}#/inbox?view=waiting`);
  const rows = page.locator('a[data-conversation]');
  await rows.first().waitFor();
  const requests = watchRequests(page);
  await page.reload();
  await page.getByText('Reason 0', { exact: true }).waitFor();
  await page.waitForLoadState('networkidle');
  assert.ok(requests.length <= TO_OPEN, `Opening took ${requests.length} requests: ${requests.join(', ')}`);
  done(`opens a queue of ${WAITING.toLocaleString('en')} conversations with ${requests.length} requests`);

  await recordFrames(page);
  await rows.first().hover();
  await framesDuring(page, rows, 'nobody scrolls', () => page.waitForTimeout(SCROLL_MS / 4));
  await framesDuring(page, rows, 'the wheel turns and pages load', async () => {
    const endMs = Date.now() + SCROLL_MS;
    while (Date.now() < endMs) {
      await page.mouse.wheel(0, WHEEL_PX);
      await page.waitForTimeout(WHEEL_EVERY_MS);
    }
  });
  const last = Number(/Reason (\d+)/.exec((await rows.last().textContent()) ?? '')?.[1]);
  say(`     reached row ${last}`);
  await page.context().close();
}

async function fillQueue(): Promise<void> {
  const ids: string[] = [];
  for (let i = 0; i < BOTS; i++) ids.push((await adminClient().createBot({ name: `Queue ${i + 1}` })).bot.id);
  const waiting = Array.from({ length: WAITING }, (_, i) => i);
  const [first, ...others] = waiting;
  const enqueue = async (i: number) => {
    const botId = ids[i % BOTS]!;
    const { conversation } = await botClient(botId).createConversation({ channel: 'channel', tags: {} });
    await call('POST', '/chat/handoffs', { conversationId: conversation.id, reason: `Reason ${i}` }, { botId });
  };
  await enqueue(first!);
  await mapConcurrently(others, CONCURRENT_CALLS, enqueue);
}

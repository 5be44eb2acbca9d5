/** Times between frames, and rows in the DOM, while a page is used. */
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { say } from './stage.ts';

/** Longer frames are visible as jank. */
const JANK_MS = 100;
const MOST_ROWS = 100;

const RECORD = `
  window.frameMs = [];
  (function next(before) {
    requestAnimationFrame(at => { if (before) window.frameMs.push(at - before); next(at); });
  })(0);`;

/** Starts recording. Precedes {@link framesDuring}. */
export const recordFrames = (page: Page): Promise<unknown> => page.evaluate(RECORD);

/** Prints the times between frames during an action. Fails if more rows than a screen needs are in the DOM. */
export async function framesDuring(
  page: Page,
  rows: Locator,
  what: string,
  act: () => Promise<unknown>,
): Promise<void> {
  await page.evaluate('window.frameMs.length = 0');
  await act();
  const frames = (await page.evaluate<number[]>('window.frameMs.slice()')).sort((a, b) => a - b);
  const count = await rows.count();
  assert.ok(count < MOST_ROWS, `${count} rows are in the DOM.`);
  const at = (share: number) => frames[Math.floor(share * (frames.length - 1))]!.toFixed(0);
  const janks = frames.filter(ms => ms > JANK_MS).length;
  say(
    `     while ${what}: ${frames.length} frames, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms, ${janks} over ${JANK_MS} ms, ${count} rows in the DOM`,
  );
}

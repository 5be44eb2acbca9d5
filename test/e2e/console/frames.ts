/**
 * Measures the time between frames while a grid of 100,000 rows is scrolled by wheel and scroll bar, and the rows in
 * the DOM.
 */
import type { Browser } from 'playwright-core';
import { framesDuring, recordFrames } from './frameTimes.ts';
import { adminClient, botClient, done, newContext, open, signedIn, until } from './stage.ts';

const ROWS = Number(process.env.ROWS ?? 100_000);
const IMPORT_PATIENCE_MS = 1_200_000;
const SCROLL_MS = 10_000;
/** One notch of a mouse wheel: about three rows. */
const WHEEL_PX = 100;
const WHEEL_EVERY_MS = 16;
const JUMPS = 20;

export async function measureFrames(browser: Browser): Promise<void> {
  const botId = await newLargeTable();
  const page = await signedIn(await newContext(browser));
  await open(page, `/bots/${botId}/tables/largeTable`, 'largeTable');
  await page.locator('[data-cell="0:1"]').getByText('City 0, inland').waitFor();
  const rows = page.getByRole('grid').getByRole('row');
  await recordFrames(page);
  const { x, y, width, height } = (await page.getByRole('grid').boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 2);

  await framesDuring(page, rows, 'nobody scrolls', () => page.waitForTimeout(SCROLL_MS / 4));
  await framesDuring(page, rows, 'the wheel turns', async () => {
    const endMs = Date.now() + SCROLL_MS;
    while (Date.now() < endMs) {
      await page.mouse.wheel(0, WHEEL_PX);
      await page.waitForTimeout(WHEEL_EVERY_MS);
    }
  });
  await framesDuring(page, rows, 'the bar is dragged all over it', async () => {
    for (let i = 1; i <= JUMPS; i++) {
      const share = ((i * 7) % JUMPS) / JUMPS;
      await page.evaluate(
        `{ const grid = document.querySelector('[role=grid]'); grid.scrollTop = ${share} * grid.scrollHeight; }`,
      );
      await page.waitForTimeout(SCROLL_MS / JUMPS);
    }
  });
  await page.context().close();
  done(`a grid of ${ROWS.toLocaleString('en')} rows scrolls`);
}

async function newLargeTable(): Promise<string> {
  const { bot } = await adminClient().createBot({ name: 'Bot of a large table' });
  const client = botClient(bot.id);
  await client.createTable({
    name: 'largeTable',
    schema: { city: { type: 'string' }, people: { type: 'number' }, isCapital: { type: 'boolean' } },
  });
  const lines = Array.from({ length: ROWS }, (_, i) => `"City ${i}, inland",${i * 10},${i % 2 === 0}`);
  const content = Buffer.from(['city,people,isCapital', ...lines].join('\n'));
  const { file } = await client.uploadFile({ key: 'cities.csv', content, contentType: 'text/csv' });
  const { job: imported } = await client.importTable({ table: 'largeTable', fileId: file.id });
  await until(async () => {
    const { jobs } = await client.getTableJobs({ table: 'largeTable' });
    return jobs.find(({ id }) => id === imported.id)?.status === 'completed';
  }, IMPORT_PATIENCE_MS);
  return bot.id;
}

/** Creates a table from a CSV file of 10,000 rows; filters, sorts, edits, pastes, scrolls and exports it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { adminClient, botClient, done, newContext, open, signedIn, until } from './stage.ts';

/** A lower number speeds up development. */
const ROWS = Number(process.env.ROWS ?? 10_000);
const csv = () =>
  Buffer.from(
    [
      'city,people,isCapital',
      ...Array.from({ length: ROWS }, (_, i) => `"City ${i}, inland",${i * 10},${i % 2 === 0}`),
    ].join('\n'),
  );

const cell = (page: Page, row: number, column: number) => page.locator(`[data-cell="${row}:${column}"]`);

export async function testTables(browser: Browser): Promise<void> {
  const { bot } = await adminClient().createBot({ name: 'Bot with tables' });
  const botId = bot.id;
  const context = await newContext(browser);
  const page = await signedIn(context);
  await open(page, `/bots/${botId}/tables`, 'Tables');
  await page.getByText('No tables yet').waitFor();
  await page.getByRole('button', { name: 'New table' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('citiesTable');
  await dialog.locator('input[type=file]').setInputFiles({ name: 'cities.csv', mimeType: 'text/csv', buffer: csv() });
  await dialog.getByLabel('Name of column 3').waitFor();
  assert.equal(await dialog.getByLabel('Name of column 3').inputValue(), 'isCapital');
  assert.equal(await dialog.getByLabel('Type of column 2').inputValue(), 'number');
  await dialog.getByRole('button', { name: 'Create table' }).click();
  await page.getByRole('heading', { name: 'citiesTable', level: 1 }).waitFor();
  done('creates a table with the columns of a CSV file');

  const startMs = performance.now();
  await page.locator('input[type=file]').setInputFiles({ name: 'cities.csv', mimeType: 'text/csv', buffer: csv() });
  await page.getByText('Import finished.').waitFor({ timeout: 1_200_000 });
  await page.getByText(`${ROWS.toLocaleString('en')} rows`).waitFor();
  await cell(page, 0, 1).getByText('City 0, inland').waitFor();
  done(`imports a CSV file of ${ROWS} rows in ${((performance.now() - startMs) / 1000).toFixed(0)} s`);

  await scroll(page);
  await editAndPaste(page, botId);
  await filterAndSort(page);
  await deleteAndUndo(page);
  await editColumns(page);

  await page.getByRole('button', { name: 'Export CSV' }).click();
  const link = page.getByRole('link', { name: 'Download the file' });
  await link.waitFor({ timeout: 120_000 });
  const text = await (await fetch((await link.getAttribute('href'))!)).text();
  // Includes the header, and a cell with a line break.
  assert.equal(text.trim().split('\n').length, ROWS + 4);
  await context.close();
  done('exports the table');
}

/** Copies as a spreadsheet does. */
const copy = (page: Page, text: string) => page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);

/** Only visible rows are in the DOM. */
async function scroll(page: Page): Promise<void> {
  const grid = page.getByRole('grid');
  assert.equal(await grid.getAttribute('aria-rowcount'), String(ROWS + 1));
  await cell(page, 0, 1).click();
  await page.keyboard.press('Control+End');
  await cell(page, ROWS - 1, 1)
    .getByText(`City ${ROWS - 1}, inland`)
    .waitFor();
  assert.ok((await grid.getByRole('row').count()) < 100);
  await page.keyboard.press('Control+Home');
  await cell(page, 0, 1).getByText('City 0, inland').waitFor();
  done('scrolls to the last row with only the visible rows in the DOM');
}

async function editAndPaste(page: Page, botId: string): Promise<void> {
  const rowOf = async (id: number) => (await botClient(botId).getTableRow({ table: 'citiesTable', id })).row;
  await cell(page, 1, 1).dblclick();
  await page.getByLabel('city of row 2').fill('Ghent');
  await page.keyboard.press('Enter');
  await cell(page, 1, 1).getByText('Ghent').waitFor();
  await until(async () => (await rowOf(2)).city === 'Ghent');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.getByLabel('people of row 2').fill('many');
  await page.keyboard.press('Enter');
  await page.getByText('"many" is not a number.').waitFor();
  assert.equal((await rowOf(2)).people, 10);
  done('edits a cell by mouse and keyboard, and rejects a value of another type with a message');

  await cell(page, 2, 1).click();
  await copy(page, 'Bruges\t118000\n"Ostend\nby the sea"\t71000');
  await page.keyboard.press('Control+v');
  await cell(page, 3, 2).getByText('71000').waitFor();
  await until(async () => (await rowOf(3)).city === 'Bruges' && (await rowOf(4)).city === 'Ostend\nby the sea');
  await page.keyboard.press('Control+End');
  await cell(page, ROWS - 1, 1)
    .getByText('inland')
    .waitFor();
  await page.locator('[data-cell]:focus').waitFor();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await copy(page, 'A\t1\nB\t2\nC\t3');
  await page.keyboard.press('Control+v');
  await page.getByText(`${(ROWS + 2).toLocaleString('en')} rows`).waitFor();
  done('pastes cells of a spreadsheet, and appends rows');
}

async function deleteAndUndo(page: Page): Promise<void> {
  const rows = (count: number) => page.getByText(`${count.toLocaleString('en')} rows`, { exact: true }).waitFor();
  await page.getByLabel('Filter by column').selectOption('city');
  await page.getByLabel('Condition').selectOption('$eq');
  await page.getByLabel('Value').fill('Ghent');
  await page.getByText('1 row', { exact: true }).waitFor();
  const [csvFile] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export these rows' }).click(),
  ]);
  assert.equal(
    readFileSync(await csvFile.path(), 'utf8')
      .trim()
      .split('\r\n').length,
    2,
  );
  await page.getByLabel('Filter by column').selectOption('');
  await rows(ROWS + 2);
  done('exports the filtered rows only');

  await page.getByRole('columnheader', { name: /^id/ }).getByRole('button').click();
  await page.getByLabel('Select row 2', { exact: true }).check();
  await page.getByLabel('Select row 3', { exact: true }).check();
  await page.getByRole('button', { name: 'Delete 2 rows' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete 2 rows' }).click();
  await rows(ROWS);
  await page.getByRole('button', { name: 'Undo' }).click();
  await rows(ROWS + 2);
  await cell(page, 0, 2).dblclick();
  await page.getByLabel('people of row 1').fill('77');
  await page.keyboard.press('Enter');
  await cell(page, 0, 2).getByText('77').waitFor();
  await page.keyboard.press('Control+z');
  await cell(page, 0, 2).getByText('0', { exact: true }).waitFor();
  done('deletes rows, and undoes the deletion and an edit');
}

async function editColumns(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Columns' }).click();
  const dialog = page.getByRole('dialog', { name: 'Columns' });
  await dialog.getByLabel('Name of the new column').fill('river');
  await dialog.getByRole('button', { name: 'Add column' }).click();
  await dialog.getByLabel('Name of the column river').fill('stream');
  await dialog.getByRole('button', { name: 'Rename' }).last().click();
  await dialog.getByLabel('Name of the column stream').waitFor();
  assert.equal(await dialog.getByLabel('Type of the column stream').isDisabled(), true);
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/columns.png` });
  await dialog.getByRole('button', { name: 'Delete the column stream' }).click();
  await page.getByRole('dialog', { name: 'Delete stream?' }).getByRole('button', { name: 'Delete' }).click();
  await dialog.getByLabel('Name of the column stream').waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  done('adds, renames and deletes a column');
}

async function filterAndSort(page: Page): Promise<void> {
  await page.getByLabel('Filter by column').selectOption('people');
  await page.getByLabel('Condition').selectOption('$lt');
  await page.getByLabel('Value').fill('25');
  await page.getByText('5 rows').waitFor();
  await page
    .getByRole('columnheader', { name: /^people/ })
    .getByRole('button')
    .click();
  await page
    .getByRole('columnheader', { name: /^people/ })
    .getByRole('button')
    .click();
  await cell(page, 0, 2).getByText('10', { exact: true }).waitFor();
  await page.getByLabel('Filter by column').selectOption('');
  await page.getByText(`${(ROWS + 2).toLocaleString('en')} rows`).waitFor();
  done('filters and sorts rows');
}

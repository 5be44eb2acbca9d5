/** Uploads, reads, finds and deletes a PDF, and uploads an unreadable one. */

import type { Browser } from 'playwright-core';
import { pdf, SCAN } from '#test/support/pdf.ts';
import { adminClient, botClient, done, newContext, open, signedIn } from './stage.ts';

export async function testFiles(browser: Browser): Promise<void> {
  const { bot } = await adminClient().createBot({ name: 'Bot of files' });
  const botId = bot.id;
  const context = await newContext(browser);
  const page = await signedIn(context);
  await open(page, `/bots/${botId}/files`, 'Files');
  await page.getByText('No files yet').waitFor();
  const input = page.locator('input[type=file]');
  const buffer = Buffer.from(pdf([[{ text: 'The lighthouse keeper feeds the seagulls at dawn.' }]]));
  await input.setInputFiles({ name: 'keeper.pdf', mimeType: 'application/pdf', buffer });
  await page.getByRole('status').getByText('Uploaded', { exact: true }).waitFor();
  const row = page.getByRole('row', { name: /keeper\.pdf/ });
  await row.getByText('Indexed', { exact: true }).waitFor();
  done('uploads a PDF with progress, and indexes it');

  await page.getByLabel('Search in the files').fill('who feeds the seagulls');
  await page.keyboard.press('Enter');
  const found = page.getByRole('region', { name: 'Search results' });
  await found.getByText('keeper.pdf').waitFor();
  await found.getByText(/Score \d/).waitFor();
  await found.locator('mark', { hasText: 'seagulls' }).waitFor();
  await row.getByRole('button', { name: 'Passages' }).click();
  await page.getByRole('dialog').getByText('The lighthouse keeper').waitFor();
  await page.keyboard.press('Escape');
  done('finds a passage with its score and highlighted words');

  await input.setInputFiles({
    name: 'partly.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from(pdf([[{ text: 'A page of text.' }], SCAN])),
  });
  const partly = page.getByRole('row', { name: /partly\.pdf/ });
  await partly.getByText('Indexed', { exact: true }).waitFor();
  await partly.getByText(/^Page 2 contains only images\./).waitFor();
  await partly.getByLabel('Not all text is searchable').waitFor();
  done('warns about pages that are not searchable');

  await input.setInputFiles({
    name: 'broken.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.7 and no more'),
  });
  const broken = page.getByRole('row', { name: /broken\.pdf/ });
  await broken.getByText('Indexing failed').waitFor();
  const { files } = await botClient(botId).listFiles({});
  await broken.getByText(files.find(({ key }) => key === 'broken.pdf')!.failedStatusReason!).waitFor();
  await broken.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await broken.waitFor({ state: 'detached' });
  await context.close();
  done('shows why a file cannot be indexed, and deletes it');
}

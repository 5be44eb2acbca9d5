/** Tests that user content is shown as text everywhere and never runs, loads or links anything. */
import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { PAYLOADS, SCRIPT } from '#test/support/markup.ts';
import { pagesOf } from './accessibility.ts';
import { newBotOfOthers } from './foreignTexts.ts';
import { adminClient, done, newContext, open, signedIn } from './stage.ts';

export async function testMarkup(browser: Browser): Promise<void> {
  assert.ok(PAYLOADS.length >= 190, `${PAYLOADS.length} payloads`);
  const name = `<img src=x onerror=${SCRIPT}>`;
  const url = `javascript:${SCRIPT}`;
  const { bot, schema } = await newBotOfOthers({ name, texts: PAYLOADS, url });

  const context = await newContext(browser);
  const page = await signedIn(context);
  for (const [path, heading] of await pagesOf(bot.id)) {
    await open(page, path, path === `/bots/${bot.id}` ? name : heading);
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    while (
      /\/(conversations|inbox)\//.test(path) &&
      (await page.getByRole('button', { name: 'Load earlier messages' }).isVisible())
    ) {
      // The button disappears on the last page.
      await page
        .getByRole('button', { name: 'Load earlier messages' })
        .click({ timeout: 3_000 })
        .catch(() => undefined);
      await page.waitForTimeout(300);
    }
    if (path.includes('/inbox/')) {
      await page
        .locator('[data-note][data-message]')
        .nth(PAYLOADS.length - 1)
        .waitFor();
      await page.getByRole('button', { name: 'Note', exact: true }).click();
      await page.getByLabel('Note text').fill('/');
      await page.getByRole('option').first().waitFor();
    }
    // Leaves time for anything that would load or run.
    await page.waitForTimeout(500);
    assert.equal(await page.evaluate('window.ran'), undefined, path);
    const links = await page.evaluate(`[...document.querySelectorAll('a[href]')].map(a => a.protocol)`);
    assert.deepEqual(
      (links as string[]).filter(protocol => !/^(https?|mailto|tel):$/.test(protocol)),
      [],
      path,
    );
    // The page of the widget has a preview.
    const foreign = await page.evaluate(
      `document.querySelectorAll(
        'main script, main iframe:not([title=Preview]), main object, main base, main img[src=x]',
      ).length`,
    );
    assert.equal(foreign, 0, path);
  }
  const { integration } = await adminClient().createIntegration({
    name: `markup${Date.now().toString(36)}`,
    version: '1.0.0',
    title: name,
    description: PAYLOADS.join('\n').slice(0, 5_000),
    configuration: { schema, title: name, description: name, identifier: { linkTemplateScript: `"${url}"` } },
  });
  await open(page, `/bots/${bot.id}/integrations?integration=${integration.id}`, 'Integrations');
  await page.getByRole('dialog').getByRole('button', { name: 'Install', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create a link' }).click();
  const link = page.getByRole('dialog').getByRole('link', { name: 'Open the wizard' });
  assert.match((await link.getAttribute('href'))!, /^https?:/);
  assert.equal(await page.evaluate('window.ran'), undefined);
  await page.keyboard.press('Escape');
  await open(page, `/bots/${bot.id}/files`, 'Files');
  await page.getByLabel('Search in the files').fill('onerror window ran img script');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Search results' }).waitFor();
  assert.equal(await page.evaluate('window.ran'), undefined);
  await context.close();
  done(
    `${PAYLOADS.length} payloads with markup are shown as text in messages, notes, saved replies, rows, names, tags, files, passages and forms`,
  );
}

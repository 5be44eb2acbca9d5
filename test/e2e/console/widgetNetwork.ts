/** Tests that the widget loses and duplicates no message on a network that fails, and in two tabs. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { CuttingProxy } from '#test/support/cuttingProxy.ts';
import { done } from './stage.ts';
import { sendAsBot } from './widgetKinds.ts';
import { bubbles, launcher, MEDIA, openChat, panel, type Site, say, storedSession } from './widgetSite.ts';

export async function testNetworkFailures(page: Page, proxy: CuttingProxy, chatUrl: string): Promise<void> {
  const { conversationId } = await storedSession(page, chatUrl);
  proxy.cut();
  await panel(page).getByText('The connection is lost.').waitFor();
  for (let i = 0; i < 25; i++) await sendAsBot(conversationId, 'text', { text: `While away ${i}.` });
  await say(page, 'Said while away');
  await panel(page).getByText('Sending …').waitFor();
  proxy.restore();
  await bubbles(page, 'other', 'While away 24.').waitFor();
  await bubbles(page, 'other', 'Said while away').waitFor();
  await panel(page).getByText('The connection is lost.').waitFor({ state: 'detached' });

  const isLost = proxy.loseAnswerOf(/^POST \S+\/messages /);
  await say(page, 'The answer to this is lost');
  await bubbles(page, 'other', 'The answer to this is lost').waitFor();
  assert.ok(isLost());
  for (let i = 0; i < 20; i++) {
    await Promise.all([
      sendAsBot(conversationId, 'text', { text: `Flickering ${i}.` }),
      i % 3 === 0 && proxy.cutOnce(),
    ]);
  }
  await bubbles(page, 'other', 'Flickering 19.').waitFor();
  await panel(page).getByText('Sending …').waitFor({ state: 'detached' });
  await page.waitForTimeout(3_000);

  const expected = [
    ...Array.from({ length: 25 }, (_, i) => `While away ${i}.`),
    ...Array.from({ length: 20 }, (_, i) => `Flickering ${i}.`),
  ];
  for (const text of expected) assert.equal(await bubbles(page, 'other', text).count(), 1, text);
  for (const text of ['Said while away', 'The answer to this is lost']) {
    assert.equal(await bubbles(page, 'own', text).count(), 1, text);
    assert.equal(await bubbles(page, 'other', text).count(), 1, text);
  }
  done('loses and duplicates no message on a cut connection, a lost response and an unstable network');
}

const OFFLINE_MS = 30_000;

/** Disconnects in the middle of a burst of the bot, for half a minute. */
export async function testOffline(page: Page, proxy: CuttingProxy, chatUrl: string): Promise<void> {
  const { conversationId } = await storedSession(page, chatUrl);
  const burst = Array.from({ length: 40 }, (_, i) => `Burst ${i}.`);
  const own = ['Written offline.', 'Another while disconnected.'];
  const sending = (async () => {
    for (const text of burst) await sendAsBot(conversationId, 'text', { text });
  })();
  await bubbles(page, 'other', burst[4]!).waitFor();
  proxy.cut();
  await page.context().setOffline(true);
  await panel(page).getByText('The connection is lost.').waitFor();
  for (const text of own) await say(page, text);
  await sending;
  await page.waitForTimeout(OFFLINE_MS);
  assert.equal(await panel(page).locator('.waiting').count(), own.length);

  proxy.restore();
  await page.context().setOffline(false);
  await bubbles(page, 'other', burst.at(-1)!).waitFor();
  for (const text of own) await bubbles(page, 'other', text).waitFor();
  await panel(page).getByText('The connection is lost.').waitFor({ state: 'detached' });

  const shown = await bubbles(page, 'other', /^Burst \d+\.$/).allInnerTexts();
  assert.deepEqual(
    shown.map(text => text.trim()),
    burst,
  );
  for (const text of own)
    assert.equal(await panel(page).locator('.message.own').getByText(text, { exact: true }).count(), 1);
  done('loses, duplicates and reorders no message of a burst during 30 s offline');
}

/** Uses one conversation in two tabs, also while both are disconnected. */
export async function testTwoTabs(page: Page, site: Site, proxy: CuttingProxy, chatUrl: string): Promise<void> {
  const before = proxy.upgrades();
  const second = await site.visit(page.context(), { chatUrl, attributes: MEDIA });
  await openChat(second);
  const { conversationId } = await storedSession(page, chatUrl);
  const tabs = [page, second] as const;
  for (const [i, tab] of tabs.entries()) await say(tab, `From tab ${i}.`);
  await bubbles(second, 'other', 'From tab 1.').waitFor();
  assert.equal(proxy.upgrades(), before);
  proxy.cut();
  for (const [i, tab] of tabs.entries()) {
    await panel(tab).getByText('The connection is lost.').waitFor();
    await say(tab, `From tab ${i}, offline.`);
  }
  proxy.restore();
  const texts = ['From tab 0.', 'From tab 1.', 'From tab 0, offline.', 'From tab 1, offline.'];
  for (const tab of tabs) {
    for (const text of texts) {
      for (const from of ['own', 'other'] as const) {
        const shown = bubbles(tab, from, new RegExp(`^${text.replaceAll('.', '\\.')}$`));
        await shown.first().waitFor();
        assert.equal(await shown.count(), 1, text);
      }
    }
    await panel(tab).locator('.waiting').waitFor({ state: 'detached' });
  }

  await second.keyboard.press('Escape');
  await page.bringToFront();
  await sendAsBot(conversationId, 'text', { text: 'Read in the first tab.' });
  await bubbles(page, 'other', 'Read in the first tab.').waitFor();
  await bubbles(page, 'other', 'Read in the first tab.').scrollIntoViewIfNeeded();
  await second.bringToFront();
  await launcher(second)
    .and(second.getByRole('button', { name: 'Open the chat', exact: true }))
    .waitFor();
  await second.close();
  done('shows each message once in two tabs, over one connection, and shares the read mark between them');
}

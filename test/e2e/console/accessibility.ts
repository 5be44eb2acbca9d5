/** Runs axe on every page, with light and dark colors, on desktop and phone. */
import assert from 'node:assert/strict';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { adminClient, botClient, CONSOLE, done, newContext, open, PHONE, signedIn } from './stage.ts';

interface Violation {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

/** A notification that fades has too little contrast for a moment. */
const TRANSITIONS_ENDED = `Promise.all(
  document.getAnimations()
    .filter(each => each.effect.getComputedTiming().endTime !== Infinity)
    .map(each => each.finished.catch(() => undefined)),
)`;

/** The page's policy blocks scripts, so axe is injected through the debugger. */
export async function violationsIn(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  await page.evaluate(TRANSITIONS_ENDED);
  const { violations, passes } = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as {
    violations: Violation[];
    passes: unknown[];
  };
  assert.ok(passes.length > 10, 'axe looked at nothing.');
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  );
}

type Check = (state: string) => Promise<void>;

/**
 * Visits states of a page with light and dark colors, on desktop and phone. Fails for violations, and for states in
 * which the page scrolls sideways.
 */
export async function checkLooks(
  browser: Browser,
  visit: (page: Page, check: Check) => Promise<void>,
  { screenshots }: { screenshots?: string | undefined } = {},
): Promise<void> {
  const faults: string[] = [];
  for (const [name, viewport, colorScheme] of [
    ['a desk, light', undefined, 'light'],
    ['a desk, dark', undefined, 'dark'],
    ['a phone', PHONE, 'light'],
    ['a phone, dark', PHONE, 'dark'],
  ] as const) {
    const context = await newContext(browser, viewport);
    const page = await signedIn(context);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await visit(page, async state => {
      faults.push(...(await violationsIn(page)).map(each => `${state}, ${name}: ${each}`));
      const isWide = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
      if (isWide) faults.push(`${state}, ${name}: the page scrolls sideways`);
      if (screenshots) await page.screenshot({ path: `${screenshots}/${state} ${name}.png` });
    });
    await context.close();
  }
  assert.deepEqual(faults, []);
}

export async function pagesOf(botId: string): Promise<[path: string, heading: string | RegExp][]> {
  const { conversations } = await botClient(botId).listConversations({});
  const { tables } = await botClient(botId).listTables({});
  const table = tables[0] ?? (await makeTable(botId));
  const bot = `/bots/${botId}`;
  return [
    ['/', 'Bots'],
    ['/settings', 'Workspace settings'],
    ['/members', 'Members'],
    ['/account', 'Account'],
    ['/reports', 'Reports'],
    ['/usage', 'Usage'],
    ['/audit', 'Audit log'],
    [bot, /bot/i],
    [`${bot}/chat`, 'Test chat'],
    [`${bot}/integrations`, 'Integrations'],
    [`${bot}/widget`, 'Chat widget'],
    [`${bot}/settings`, 'Settings'],
    [`${bot}/conversations`, 'Conversations'],
    [`${bot}/conversations/${conversations[0]!.id}`, /./],
    [`/inbox?bot=${botId}`, 'Inbox'],
    [`/inbox/${botId}/${conversations[0]!.id}?bot=${botId}&view=all`, /./],
    [`${bot}/replies`, 'Saved replies'],
    [`${bot}/files`, 'Files'],
    [`${bot}/tables`, 'Tables'],
    [`${bot}/tables/${table.id}`, table.name],
    [`${bot}/users`, 'Users'],
    [`${bot}/events`, 'Events'],
    [`${bot}/workflows`, 'Workflows'],
    [`${bot}/states`, 'States'],
    [`${bot}/analytics`, 'Analytics'],
    [`${bot}/logs`, 'Logs'],
    [`${bot}/dead-letters`, 'Failed jobs'],
  ];
}

async function makeTable(botId: string) {
  const { table } = await botClient(botId).createTable({
    name: 'axesTable',
    schema: { type: 'object', properties: { name: { type: 'string' }, count: { type: 'number' } } },
  });
  await botClient(botId).createTableRows({ table: table.id, rows: [{ name: 'one', count: 1 }] });
  return table;
}

export async function testAccessibility(browser: Browser, botId: string): Promise<void> {
  const pages = await pagesOf(botId);
  const faults: string[] = [];
  for (const [name, viewport, scheme] of [
    ['a desk, light', undefined, 'light'],
    ['a desk, dark', undefined, 'dark'],
    ['a phone', PHONE, 'light'],
  ] as const) {
    const context = await newContext(browser, viewport);
    const page = await context.newPage();
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await page.goto(CONSOLE);
    await page.getByLabel('Personal access token').waitFor();
    faults.push(...(await violationsIn(page)).map(each => `sign-in, ${name}: ${each}`));
    const signed = await signedIn(context);
    await signed.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    for (const [path, heading] of pages) {
      await open(signed, path, heading);
      await signed.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
      faults.push(...(await violationsIn(signed)).map(each => `${path}, ${name}: ${each}`));
      const isWide = await signed.evaluate('document.documentElement.scrollWidth > window.innerWidth');
      if (isWide) faults.push(`${path}, ${name}: the page scrolls sideways`);
    }
    await context.close();
  }
  assert.deepEqual(faults, []);
  done(`axe finds no violations on ${pages.length + 1} pages, in light and dark, on desktop and phone`);
}

/** Uses only the keyboard, from the skip button to a bot's page. */
export async function testKeyboard(browser: Browser): Promise<void> {
  const { bots } = await adminClient().listBots({ sortField: 'updatedAt', sortDirection: 'desc' });
  const context = await newContext(browser);
  const page = await signedIn(context);
  await page.getByRole('link', { name: bots[0]!.name }).first().waitFor();
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Skip to content' }).press('Enter');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'New bot' }).press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'New bot');
  await context.close();
  done('opens and closes a dialog by keyboard, and restores the focus');
}

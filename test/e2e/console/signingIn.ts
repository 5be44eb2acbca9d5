/** Signs in with a token and with a link, in several tabs, and signs out. */
import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { CONSOLE, done, local, newContext, newLink, open, signedIn, storedSession } from './stage.ts';

const field = (page: Page) => page.getByLabel('Personal access token');
const home = (page: Page) => page.getByRole('heading', { name: 'Bots', level: 1 });

const statusOf = async (token: string): Promise<number> =>
  (await fetch(`${local.apiUrl}/v1/admin/account/sessions`, { headers: { authorization: `Bearer ${token}` } })).status;

const endOnServer = (id: string) =>
  fetch(`${local.apiUrl}/v1/admin/account/sessions/${id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${local.tokens.owner}` },
  });

export async function testSigningIn(browser: Browser): Promise<void> {
  const context = await newContext(browser);
  const page = await context.newPage();
  const answer = await page.goto(CONSOLE);
  const policy = answer!.headers()['content-security-policy']!;
  assert.match(policy, /script-src 'self';/);
  assert.doesNotMatch(policy, /unsafe-eval|script-src[^;]*unsafe-inline/);

  await field(page).fill('nonsense');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText("That doesn't look like a token").waitFor();
  await field(page).fill(`bp_pat_${'x'.repeat(36)}`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('This token is unknown, was revoked or has expired.').waitFor();
  done('rejects a malformed token and an unknown one with a message at the field');

  await page.goto(`${CONSOLE}#invitation=bp_inv_cut`);
  await page.getByText('The link is incomplete.').waitFor();
  assert.equal(page.url().includes('invitation'), false);
  done('says that a link was cut off');

  const signed = await signedIn(context);
  assert.equal(signed.url().includes(local.tokens.owner), false);
  const stored: string = await signed.evaluate('JSON.stringify([localStorage, sessionStorage])');
  assert.equal(stored.includes('bp_pat_'), false);
  assert.ok(stored.includes('bp_ses_'));
  const other = await context.newPage();
  await other.goto(CONSOLE);
  await home(other).waitFor();
  await home(page).waitFor();
  done('signs all tabs in with a token, which it does not keep');

  await open(other, '/members', 'Members');
  await other.getByRole('button', { name: /^Account/ }).click();
  const { token } = (await storedSession(other))!;
  await other.getByRole('menuitem', { name: 'Sign out' }).click();
  for (const tab of [other, signed, page]) await field(tab).waitFor();
  assert.equal(await storedSession(page), null);
  assert.equal(await signed.evaluate('sessionStorage.length'), 0);
  await until401(token);
  done('signs all tabs out, and ends the session on the server');

  const link = newLink();
  await signed.goto(link);
  for (const tab of [signed, page, other]) await tab.getByRole('heading', { level: 1, name: /Bots|Members/ }).waitFor();
  assert.equal(signed.url().includes('token'), false);
  const tab = await context.newPage();
  await tab.goto(link);
  await tab.getByText('This link has been used').waitFor();
  await home(tab).waitFor();
  done('signs all tabs in with a link of npm run console, once, and removes its token from the URL immediately');

  const before = await storedSession(tab);
  await tab.goto(newLink());
  await tab.waitForFunction(id => JSON.parse(localStorage['parley-console-session']).id !== id, before!.id);
  await home(tab).waitFor();
  await until401(before!.token);
  done('replaces the session with that of a link that is opened in a signed-in tab');

  await open(tab, '/usage', 'Usage');
  await endOnServer((await storedSession(tab))!.id);
  await until401((await storedSession(tab))!.token);
  await tab.reload();
  await tab.getByText('Your session has ended.').waitFor();
  await field(tab).fill(local.tokens.owner);
  await tab.getByRole('button', { name: 'Sign in' }).click();
  await tab.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
  await context.close();
  done('leads to the sign-in page after the session ended, and back to the page');
}

/** Functions cache callers. */
async function until401(token: string): Promise<void> {
  const deadlineMs = Date.now() + 60_000;
  while ((await statusOf(token)) !== 401) {
    assert.ok(Date.now() < deadlineMs, 'The session still works.');
    await new Promise(resolve => setTimeout(resolve, 500));
  }
}

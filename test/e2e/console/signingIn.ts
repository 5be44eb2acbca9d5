/** Signs in with a token and with a one-time link, and signs out. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { CONSOLE, done, local, newContext, signedIn } from './stage.ts';

const COMMAND = join(import.meta.dirname, '../../../infra/operator/console.ts');

/** Returns a one-time link of `npm run console`. */
export const newLink = () => execFileSync(process.execPath, [COMMAND, '--local'], { encoding: 'utf8' }).split('\n')[0]!;

export async function testSigningIn(browser: Browser): Promise<void> {
  const context = await newContext(browser);
  const page = await context.newPage();
  const answer = await page.goto(CONSOLE);
  const policy = answer!.headers()['content-security-policy']!;
  assert.match(policy, /script-src 'self';/);
  assert.doesNotMatch(policy, /unsafe-eval|script-src[^;]*unsafe-inline/);

  await page.getByLabel('Personal access token').fill('nonsense');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('This is not a token').waitFor();
  await page.getByLabel('Personal access token').fill(`bp_pat_${'x'.repeat(36)}`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').getByText('Error id').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  done('rejects a malformed token with a message, and an unknown one with the error id');

  const signed = await signedIn(context);
  assert.equal(new URL(signed.url()).href.includes(local.tokens.owner), false);
  const other = await context.newPage();
  await other.goto(CONSOLE);
  await other.getByLabel('Personal access token').waitFor();
  done('signs in to the only workspace with a token, which stays in its tab');

  const link = newLink();
  const first = await context.newPage();
  await first.goto(link);
  await first.getByRole('heading', { name: 'Bots' }).waitFor();
  assert.equal(first.url().includes('token'), false);
  await first.reload();
  await first.getByRole('heading', { name: 'Bots' }).waitFor();
  const second = await context.newPage();
  await second.goto(link);
  await second.getByText('This link has been used').waitFor();
  done('signs in once with a link of npm run console, and removes its token from the URL immediately');

  for (const tab of [other, second, first]) {
    const before = await tab.evaluate('JSON.stringify(sessionStorage)');
    await tab.goto(newLink());
    // A tab that is signed in shows its page until the new session replaces its own.
    await tab.waitForFunction(session => JSON.stringify(sessionStorage) !== session, before);
    await tab.getByRole('heading', { name: 'Bots' }).waitFor();
    assert.equal(tab.url().includes('token'), false);
  }
  done('signs in with a link that is opened in a tab with the console: signed out, at a used link, and signed in');

  await first.getByRole('button', { name: /^Account/ }).click();
  await first.getByRole('menuitem', { name: 'Sign out' }).click();
  await first.getByLabel('Personal access token').waitFor();
  assert.equal(await first.evaluate('sessionStorage.length'), 0);
  await context.close();
  done('deletes the token on sign-out');
}

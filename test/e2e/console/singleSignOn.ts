/** Sets up single sign-on as the owner, and signs a person in who has neither an account nor an invitation. */
import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { startIdentityProvider } from '#test/support/identityProvider.ts';
import { CONSOLE, done, local, newContext, open, PHONE, signedIn } from './stage.ts';

const PAGE = 'Workspace settings';
const submitHandle = async (page: Page, handle: string) => {
  await page.getByLabel('Handle of your workspace').fill(handle);
  await page.getByRole('button', { name: 'Continue' }).click();
};

export async function testSingleSignOn(browser: Browser): Promise<void> {
  const provider = await startIdentityProvider({ redirectUri: CONSOLE });
  provider.people.grace = { email: 'grace@example.com', name: 'Grace', groups: ['support'] };
  provider.people.mallory = { email: 'mallory@example.com', name: 'Mallory', groups: [] };
  const context = await newContext(browser);
  const owner = await signedIn(context);
  try {
    await open(owner, '/settings', PAGE);
    const handle = owner.getByLabel('Handle', { exact: true });
    await handle.fill('acme-support');
    await owner.getByRole('region', { name: 'General' }).getByRole('button', { name: 'Save', exact: true }).click();
    await owner.getByText('The settings were saved.').waitFor();
    const section = owner.getByRole('region', { name: 'Single sign-on' });
    await section.getByRole('button', { name: 'Set up single sign-on' }).click();
    await section.getByText(CONSOLE, { exact: true }).waitFor();
    await section.getByLabel('Issuer').fill('https://127.0.0.1:9/none');
    await section.getByLabel('Client ID').fill(provider.clientId);
    await section.getByLabel('Client secret').fill(provider.clientSecret);
    await section.getByRole('button', { name: 'Add group' }).click();
    await section.getByLabel('Group of entry 1').fill('support');
    await section.getByLabel('Role of entry 1').selectOption('agent');
    await section.getByRole('button', { name: 'Save single sign-on' }).click();
    await owner.getByText('Its configuration could not be read').waitFor();
    assert.equal(await section.getByLabel('Group of entry 1').inputValue(), 'support');
    await section.getByLabel('Issuer').fill(provider.issuer);
    await section.getByRole('button', { name: 'Save single sign-on' }).click();
    await section.getByText('A secret is stored.').waitFor();
    const link = `${CONSOLE}?workspace=acme-support`;
    await section.getByText(link, { exact: true }).waitFor();
    done('sets up single sign-on, and explains an issuer that cannot be reached without losing the form');

    const guest = await newContext(browser, PHONE);
    const page = await guest.newPage();
    await page.goto(link);
    assert.equal(await page.getByLabel('Handle of your workspace').inputValue(), 'acme-support');
    await submitHandle(page, 'unknown-workspace');
    await page.getByText('No workspace with this handle has single sign-on.').waitFor();
    await submitHandle(page, 'acme-support');
    await page.getByRole('link', { name: 'mallory' }).click();
    await page.getByText('You signed in, but have no access to this workspace').waitFor();
    await guest.clearCookies();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('link', { name: 'grace' }).click();
    await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
    assert.doesNotMatch(page.url(), /code=|state=/);
    done('signs a person in by the link, with the role of their group, and refuses one without a group');

    const foreign = await newContext(browser);
    const victim = await foreign.newPage();
    await victim.goto(`${CONSOLE}?code=of-an-attacker&state=of-an-attacker`);
    await victim.getByText('This sign-in was started in another tab').waitFor();
    assert.equal(await victim.evaluate('localStorage.length'), 0);
    await foreign.close();
    done('accepts no return that the browser did not begin');

    await section.getByRole('button', { name: 'Turn off' }).click();
    await owner.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
    await owner.getByText('Single sign-on was turned off.').waitFor();
    const session = await page.evaluate<string>('JSON.parse(localStorage["parley-console-session"]).token');
    await untilEnded(session);
    await page.reload();
    await page.getByText('Your session has ended.').waitFor();
    await guest.close();
    done('ends the sessions with the single sign-on');
  } finally {
    provider.stop();
    await context.close();
  }
}

async function untilEnded(token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const deadlineMs = Date.now() + 60_000;
  while ((await fetch(`${local.apiUrl}/v1/admin/account/sessions`, { headers })).status !== 401) {
    assert.ok(Date.now() < deadlineMs, 'The session still works.');
    await new Promise(resolve => setTimeout(resolve, 500));
  }
}

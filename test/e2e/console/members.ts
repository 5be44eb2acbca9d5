/** An invited member accepts and sees only what the role permits. */
import type { Browser } from 'playwright-core';
import { CONSOLE, done, newContext, open, signedIn } from './stage.ts';

export async function testMembers(browser: Browser, botId: string): Promise<void> {
  const context = await newContext(browser);
  const page = await signedIn(context);
  const email = `guest-${Date.now().toString(36)}@example.com`;
  await open(page, '/members', 'Members');
  await page.getByRole('button', { name: 'Invite member' }).click();
  await page.getByRole('dialog').getByLabel('Email').fill(email);
  await page.getByRole('dialog').getByLabel('Role').selectOption('viewer');
  await page.getByRole('button', { name: 'Create invitation' }).click();
  const invitation = await page.locator('code', { hasText: 'bp_inv_' }).textContent();
  await page.keyboard.press('Escape');
  await page
    .getByRole('row', { name: new RegExp(email) })
    .getByText('Invited')
    .waitFor();
  done('invites a viewer');

  const theirs = await newContext(browser);
  const guest = await theirs.newPage();
  await guest.goto(CONSOLE);
  await guest.getByRole('button', { name: 'I have an invitation' }).click();
  await guest.getByRole('textbox', { name: 'Invitation' }).fill(invitation!);
  await guest.getByLabel('Your name').fill('Guest');
  await guest.getByRole('button', { name: 'Accept' }).click();
  await guest.getByRole('button', { name: 'I saved the token' }).click();
  await guest.getByRole('heading', { name: 'Bots' }).waitFor();
  await guest.getByRole('link', { name: 'Test bot' }).first().waitFor();
  done('lets the viewer accept, keep the token and see the bots');

  await open(guest, '/audit', 'Audit log');
  await guest.getByRole('alert').getByText('Your role does not allow this').waitFor();
  await open(guest, '/members', 'Members');
  await guest.getByText(`You are signed in as ${email} (Viewer).`).waitFor();
  await guest.getByRole('row', { name: new RegExp(email) }).waitFor();
  if (await guest.getByRole('button', { name: 'Invite member' }).isVisible())
    throw new Error('A viewer is offered to invite members.');
  await open(guest, `/bots/${botId}/dead-letters`, 'Failed jobs');
  await guest.getByRole('alert').getByText('Your role does not allow this').waitFor();
  await open(guest, `/bots/${botId}/conversations`, 'Conversations');
  await guest.locator('a[data-conversation]').first().waitFor();
  done('shows the viewer conversations, but no audit log, dead letters or invitation form');

  await page
    .getByRole('row', { name: new RegExp(email) })
    .getByLabel(/^Role of/)
    .selectOption('manager');
  await page.getByText('The role was changed.').waitFor();
  await open(page, '/audit', 'Audit log');
  await page.getByRole('row', { name: new RegExp(`Update workspace member.*${email}.*manager`) }).waitFor();
  await open(page, '/members', 'Members');
  await page
    .getByRole('row', { name: new RegExp(email) })
    .getByRole('button', { name: 'Remove' })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('row', { name: new RegExp(email) }).waitFor({ state: 'detached' });
  await Promise.all([context.close(), theirs.close()]);
  done('changes the role, records it in the audit log, and removes the member');
}

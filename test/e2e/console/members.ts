/** A member who is invited, accepts, and sees less. */
import type { Browser } from 'playwright-core';
import { CONSOLE, done, newContext, open, signedIn } from './stage.ts';

export async function walkThroughMembers(browser: Browser, botId: string): Promise<void> {
  const context = await newContext(browser);
  const page = await signedIn(context);
  const email = `guest-${Date.now().toString(36)}@example.com`;
  await open(page, '/members', 'Members');
  await page.getByRole('button', { name: 'Invite someone' }).click();
  await page.getByRole('dialog').getByLabel('E-mail address').fill(email);
  await page.getByRole('dialog').getByLabel('Role').selectOption('viewer');
  await page.getByRole('button', { name: 'Make the invitation' }).click();
  const invitation = await page.locator('code', { hasText: 'bp_inv_' }).textContent();
  await page.keyboard.press('Escape');
  await page
    .getByRole('row', { name: new RegExp(email) })
    .getByText('has not joined yet')
    .waitFor();
  done('a viewer is invited');

  const theirs = await newContext(browser);
  const guest = await theirs.newPage();
  await guest.goto(CONSOLE);
  await guest.getByRole('button', { name: 'I have an invitation' }).click();
  await guest.getByRole('textbox', { name: 'Invitation' }).fill(invitation!);
  await guest.getByLabel('Your name').fill('Guest');
  await guest.getByRole('button', { name: 'Accept' }).click();
  await guest.getByRole('button', { name: 'I have kept it' }).click();
  await guest.getByRole('heading', { name: 'Bots' }).waitFor();
  await guest.getByRole('link', { name: 'Walked bot' }).first().waitFor();
  done('they accept, keep their token, and see the bots');

  await open(guest, '/audit', 'Audit');
  await guest.getByRole('alert').getByText('Your role does not allow this').waitFor();
  await open(guest, '/members', 'Members');
  await guest.getByText(`You are here as ${email}, viewer.`).waitFor();
  await guest.getByRole('row', { name: new RegExp(email) }).waitFor();
  if (await guest.getByRole('button', { name: 'Invite someone' }).isVisible())
    throw new Error('A viewer is offered to invite.');
  await open(guest, `/bots/${botId}/parked`, 'Parked changes');
  await guest.getByRole('alert').getByText('Your role does not allow this').waitFor();
  await open(guest, `/bots/${botId}/conversations`, 'Conversations');
  await guest
    .getByRole('link', { name: /^convo_/ })
    .first()
    .waitFor();
  done('they see conversations, and neither the audit, parked changes nor the invitation of others');

  await page
    .getByRole('row', { name: new RegExp(email) })
    .getByLabel(/^Role of/)
    .selectOption('manager');
  await page.getByText('The role is changed.').waitFor();
  await open(page, '/audit', 'Audit');
  await page.getByRole('row', { name: new RegExp(`update workspace member.*${email}.*manager`) }).waitFor();
  await open(page, '/members', 'Members');
  await page
    .getByRole('row', { name: new RegExp(email) })
    .getByRole('button', { name: 'Remove' })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('row', { name: new RegExp(email) }).waitFor({ state: 'detached' });
  await Promise.all([context.close(), theirs.close()]);
  done('their role is changed, which the audit says, and they are removed');
}

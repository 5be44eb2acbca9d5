/** An invited member accepts and sees only what the role permits. */
import assert from 'node:assert/strict';
import { Client } from '@botpress/client';
import type { Browser, Locator, Page } from 'playwright-core';
import { violationsIn } from './accessibility.ts';
import { call, done, local, newContext, open, signedIn, storedSession } from './stage.ts';

export async function testMembers(browser: Browser, botId: string): Promise<void> {
  const context = await newContext(browser);
  const page = await signedIn(context);
  const email = `guest-${Date.now().toString(36)}@example.com`;
  await open(page, '/members', 'Members');
  await page.getByRole('button', { name: 'Invite member' }).click();
  await page.getByRole('dialog').getByLabel('Email').fill(email);
  await page.getByRole('dialog').getByLabel('Role').selectOption('viewer');
  await page.getByRole('button', { name: 'Create invitation' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite member' });
  const link = await dialog.getByLabel('Link', { exact: true }).inputValue();
  assert.match(link, /\/console\/#invitation=bp_inv_[\w-]{66}$/);
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  assert.equal(await dialog.getByRole('button', { name: 'Done' }).isDisabled(), true);
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), link);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });
  const row = page.getByRole('row', { name: new RegExp(email) });
  await row.getByText('Invited').waitFor();
  await row.getByText(/^Valid until/).waitFor();
  done('invites a viewer with a link, whose dialog stays until the link is copied');

  await choose(page, row, 'New invitation link');
  const renewed = page.getByRole('dialog', { name: 'New invitation link' });
  const invitation = await renewed.getByLabel('Link', { exact: true }).inputValue();
  await renewed.getByLabel('I have copied or sent the link').check();
  await renewed.getByRole('button', { name: 'Done' }).click();
  const theirs = await newContext(browser);
  const guest = await theirs.newPage();
  await guest.goto(link);
  await guest.getByText('This invitation no longer works').waitFor();
  assert.equal(guest.url().includes('bp_inv_'), false);
  done('replaces the link, and explains that the former one no longer works');

  await guest.goto(invitation);
  await guest.getByText(`You are invited as ${email} with the role Viewer.`).waitFor();
  assert.deepEqual(await violationsIn(guest), []);
  await guest.getByLabel('Your name').fill('Guest');
  await guest.getByRole('button', { name: 'Accept and sign in' }).click();
  await guest.getByRole('heading', { name: 'Bots' }).waitFor();
  await guest.getByRole('link', { name: 'Test bot' }).first().waitFor();
  done('lets the viewer accept with a name alone, and see the bots');

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

  await setRole(row, 'developer');
  const question = page.getByRole('dialog', { name: /Change the role/ });
  await question.getByText('Answering conversations in the inbox').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  assert.equal(await row.getByLabel(/^Role of/).inputValue(), 'viewer');
  await setRole(row, 'developer');
  await question.getByRole('button', { name: 'Change role' }).click();
  await page.getByText('The role was changed.').waitFor();
  done('changes a role only after a confirmation, which names what the member gains');

  await choose(page, row, 'Create a sign-in link');
  const linkDialog = page.getByRole('dialog', { name: 'Sign-in link for Guest' });
  const signInLink = await linkDialog.getByLabel('Link', { exact: true }).inputValue();
  await linkDialog.getByRole('button', { name: 'Copy', exact: true }).click();
  await linkDialog.getByRole('button', { name: 'Done' }).click();
  const elsewhere = await newContext(browser);
  const lost = await elsewhere.newPage();
  await lost.goto(signInLink);
  await lost.getByRole('heading', { name: 'Bots', level: 1 }).waitFor();
  await open(lost, '/account', 'Account');
  await lost
    .getByRole('row', { name: /this browser/ })
    .getByText('limited to one workspace')
    .waitFor();
  await open(page, '/audit', 'Audit log');
  await page
    .getByText(/create.sign.in.link/i)
    .first()
    .waitFor();
  await page
    .getByText(/sign.in.with.link/i)
    .first()
    .waitFor();
  done('signs a member who lost access in with a link of a manager, for this workspace only');

  const [{ conversation }, { member }] = await openConversationOf(guest, botId);
  await open(page, '/members', 'Members');
  await setRole(row, 'viewer');
  await question.getByText('1 open conversation returns to the queue.').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await choose(page, row, 'Remove');
  const removal = page.getByRole('dialog', { name: /^Remove/ });
  await removal.getByText('1 open conversation returns to the queue.').waitFor();
  await removal.getByRole('button', { name: 'Remove' }).click();
  await row.waitFor({ state: 'detached' });
  const { handoffs } = await call('GET', `/chat/handoffs?conversationId=${conversation}`, undefined, { botId });
  assert.notEqual(handoffs[0].assignee?.id, member);
  await lost.reload();
  await lost.getByText('Your session has ended.').waitFor({ timeout: 60_000 });
  await Promise.all([context.close(), theirs.close(), elsewhere.close()]);
  done('names the open conversations of the member before it removes them, and ends the session of the link');
}

async function choose(page: Page, row: Locator, item: string): Promise<void> {
  await row.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

const setRole = (row: Locator, role: string) => row.getByLabel(/^Role of/).selectOption(role);

/** Assigns a conversation of the bot to the member who is signed in. */
async function openConversationOf(page: Page, botId: string) {
  const { token } = (await storedSession(page))!;
  const client = new Client({ apiUrl: local.apiUrl, token, workspaceId: local.workspaceId, botId });
  const { account } = await client.getAccount({});
  const { conversations } = await client.listConversations({});
  const { handoff } = await call('POST', '/chat/handoffs', { conversationId: conversations[0]!.id }, { botId });
  await call('POST', `/chat/handoffs/${handoff.id}/assign`, { accountId: account.id }, { botId });
  return [{ conversation: conversations[0]!.id }, { member: account.id }] as const;
}

/** Two agents in two browsers receive conversations automatically, within a limit and while they are online. */
import assert from 'node:assert/strict';
import { Client } from '@botpress/client';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { violationsIn } from './accessibility.ts';
import { capture, eachLook } from './looks.ts';
import { adminClient, botClient, CONSOLE, call, done, local, newContext, open, signedIn, until } from './stage.ts';

const LIMIT = 2;

interface Agent {
  name: string;
  accountId: string;
  page: Page;
  context: BrowserContext;
}

export async function testAvailability(browser: Browser): Promise<void> {
  const botId = (await adminClient().createBot({ name: 'Round robin' })).bot.id;
  const otherId = (await adminClient().createBot({ name: 'Second desk' })).bot.id;
  const owner = await signedIn(await newContext(browser));
  await setManual();

  const ada = await newAgent(browser, owner, { name: 'Ada Online', bot: 'Round robin' });
  const bob = await newAgent(browser, owner, { name: 'Bob Online', bot: 'Round robin' });
  done('invites agents who are limited to a bot');

  await open(owner, '/settings', 'Workspace settings');
  assert.deepEqual(await violationsIn(owner), []);
  await capture(owner, 'settings');
  await owner.getByLabel('Automatic').check();
  await owner.getByLabel('Open conversations per agent').fill(String(LIMIT));
  await owner.getByLabel('Agents who leave').selectOption('5');
  await owner.getByRole('region', { name: 'Inbox' }).getByRole('button', { name: 'Save' }).click();
  await owner.getByText('The settings were saved.').waitFor();
  await owner.reload();
  assert.equal(await owner.getByLabel('Automatic').isChecked(), true);
  assert.equal(await owner.getByLabel('Open conversations per agent').inputValue(), String(LIMIT));
  done('stores automatic assignment with a limit');

  const queue = await enqueue(botId, 2);
  await Promise.all([ada, bob].map(({ page }) => page.locator('a[data-conversation]').first().waitFor()));
  const assignees = await Promise.all(queue.map(id => assigneeOf(botId, id)));
  assert.deepEqual(new Set(assignees), new Set([ada.accountId, bob.accountId]));
  await ada.page.locator('a[data-conversation]').first().click();
  await ada.page.getByText('Assigned to you automatically').waitFor();
  await capture(ada.page, 'assigned');
  done('assigns two conversations to the two agents, and names the automatic assignment');

  await bob.page.getByRole('button', { name: 'Availability: Online' }).click();
  await capture(bob.page, 'menu');
  await bob.page.getByRole('menuitem', { name: 'Away' }).click();
  await bob.page.getByRole('button', { name: 'Availability: Away' }).waitFor();
  const [third, fourth] = await enqueue(botId, 2);
  assert.equal(await until(() => assigneeOf(botId, third!)), ada.accountId);
  await ada.page.getByRole('button', { name: 'Assign', exact: true }).click();
  const options = ada.page.getByRole('listbox');
  const ofBob = options.getByRole('option', { name: /Bob Online.*1 open conversation.*Away/ });
  await ofBob.waitFor();
  await options.getByRole('option', { name: /Ada Online.*2 open conversations.*Online/ }).waitFor();
  await capture(ada.page, 'assignMenu');
  await ada.page.keyboard.press('Escape');
  done('shows status and open conversations of agents in the assign menu, without a reload');

  await ada.page.waitForTimeout(2_000);
  assert.equal(await assigneeOf(botId, fourth!), undefined);
  done('leaves conversations in the queue when one agent is at the limit and the other one is away');

  await bob.page.getByRole('button', { name: 'Bob Online' }).click();
  await bob.page.getByRole('menuitem', { name: 'Online' }).click();
  assert.equal(await until(() => assigneeOf(botId, fourth!)), bob.accountId);
  done('assigns the waiting conversation to the agent who is online again, set in the account menu');

  await call('POST', '/chat/handoffs', { conversationId: await newConversation(otherId) }, { botId: otherId });
  await bob.page.goto(`${CONSOLE}#/inbox?view=waiting`);
  await bob.page.getByText('Nobody is waiting').waitFor();
  await open(owner, '/members', 'Members');
  await owner.getByRole('button', { name: 'Change the bots of Bob Online' }).click();
  const dialog = owner.getByRole('dialog', { name: 'Bots of Bob Online' });
  await dialog.getByLabel('Bots', { exact: true }).first().click();
  await owner.getByRole('option', { name: 'Second desk' }).click();
  await owner.keyboard.press('Tab');
  assert.deepEqual(await violationsIn(owner), []);
  await capture(owner, 'bots');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await owner.getByText('The bots were saved.').waitFor();
  await owner.getByText('Bots: Round robin, Second desk').waitFor();
  done('limits an agent to bots in the list of members');

  await captureLooks(browser);
  await setManual();
  for (const { context } of [ada, bob]) await context.close();
  await owner.context().close();
}

const setManual = () =>
  call('PUT', '/chat/inbox/settings', { assignment: 'manual', maxOpenPerAgent: 5, releaseAfterMinutes: null });

async function newConversation(botId: string): Promise<string> {
  const client = botClient(botId);
  const { conversation } = await client.createConversation({ channel: 'channel', tags: {} });
  return conversation.id;
}

async function enqueue(botId: string, length: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < length; i++) {
    const conversationId = await newConversation(botId);
    ids.push((await call('POST', '/chat/handoffs', { conversationId, reason: 'Invoice' }, { botId })).handoff.id);
  }
  return ids;
}

const assigneeOf = async (botId: string, id: string): Promise<string | undefined> =>
  (await call('GET', `/chat/handoffs/${id}`, undefined, { botId })).handoff.member?.id;

async function newAgent(browser: Browser, owner: Page, { name, bot }: { name: string; bot: string }): Promise<Agent> {
  const email = `${name.split(' ')[0]!.toLowerCase()}-${Date.now().toString(36)}@example.com`;
  await open(owner, '/members', 'Members');
  await owner.getByRole('button', { name: 'Invite member' }).click();
  const dialog = owner.getByRole('dialog', { name: 'Invite member' });
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByLabel('Role').selectOption('agent');
  await dialog.getByLabel('Bots', { exact: true }).first().click();
  await owner.getByRole('option', { name: bot }).first().click();
  // Closes the options, which cover the button.
  await owner.keyboard.press('Tab');
  await owner.getByRole('button', { name: 'Create invitation' }).click();
  const link = await dialog.getByLabel('Link', { exact: true }).inputValue();
  await dialog.getByLabel('I have copied or sent the link').check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await owner
    .getByRole('row', { name: new RegExp(email) })
    .getByText(`Bots: ${bot}`)
    .waitFor();
  const context = await newContext(browser);
  const page = await context.newPage();
  await page.goto(link);
  await page.getByLabel('Your name').fill(name);
  await page.getByRole('button', { name: 'Accept and sign in' }).click();
  await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
  await page.goto(`${CONSOLE}#/inbox?view=mine`);
  await page.getByRole('button', { name: 'Availability: Online' }).waitFor();
  const { members } = await new Client({
    ...{ apiUrl: local.apiUrl, token: local.tokens.owner, workspaceId: local.workspaceId },
  }).listWorkspaceMembers({});
  const accountId = members.find(each => each.email === email)!.userId!;
  return { name, accountId, page, context };
}

async function captureLooks(browser: Browser): Promise<void> {
  await eachLook(browser, 1_280, async (page, name) => {
    for (const path of ['inbox', 'settings', 'members']) {
      await page.goto(`${CONSOLE}#/${path}`);
      await page.waitForTimeout(1_500);
      await capture(page, `${name}-${path}`);
    }
  });
}

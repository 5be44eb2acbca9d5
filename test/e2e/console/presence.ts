/** A visitor of a page with the widget and two members see each other in the inbox. */
import assert from 'node:assert/strict';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { violationsIn } from './accessibility.ts';
import { capture, eachLook } from './looks.ts';
import { adminClient, CONSOLE, call, done, local, newContext, signedIn } from './stage.ts';
import { bubbles, openChat, panel, type Site, say, startSite, storedSession } from './widgetSite.ts';

const { chatUrl, botId } = local;
/** Reports are at most ten seconds apart. */
const REPORTED = { timeout: 30_000 };

export async function testPresence(browser: Browser): Promise<void> {
  const site = await startSite();
  const context = await newContext(browser, undefined, 'de-AT');
  try {
    await run(browser, site, context);
  } finally {
    site.stop();
    await context.close();
  }
}

async function run(browser: Browser, site: Site, context: BrowserContext): Promise<void> {
  await call('PUT', '/admin/account/me', { displayName: 'Olivia Owner' });
  const visitor = await site.visit(context, { chatUrl, attributes: { 'data-user-name': 'Ada' } });
  await openChat(visitor);
  await say(visitor, 'Where is my parcel?');
  await bubbles(visitor, 'own', 'Where is my parcel?').waitFor();
  const { conversationId } = await storedSession(visitor, chatUrl);
  const olivia = await openAs(await newContext(browser), local.tokens.owner, conversationId);
  const colleague = await invite('Ben Colleague');

  await olivia.locator('[data-visitor=online]').getByText('Online').waitFor();
  const visit = await visitIn(olivia);
  await visit.getByText('Shop', { exact: true }).waitFor(REPORTED);
  await visit.getByText(/German/).waitFor();
  const link = visit.getByRole('link', { name: 'Shop' });
  assert.equal(await link.getAttribute('href'), `${site.origin}/`);
  assert.match((await link.getAttribute('rel'))!, /noreferrer/);
  done('shows an agent that the visitor is online, their page without its query, and their language');

  await visitor.evaluate(`history.pushState({}, '', '/cart?session=secret#x'); document.title = 'Cart'`);
  await visit.getByRole('link', { name: 'Cart' }).waitFor(REPORTED);
  assert.equal(await visit.getByRole('link', { name: 'Cart' }).getAttribute('href'), `${site.origin}/cart`);
  await visit.getByText('Earlier pages').waitFor();
  await visit.getByRole('link', { name: 'Shop' }).waitFor();
  done('shows the next page of a single-page application, and the earlier one');

  const typing = olivia.locator('[data-typing]');
  const sent = countTyping(visitor);
  await panel(visitor).locator('textarea').pressSequentially('Hm');
  await visitor.waitForTimeout(1_000);
  assert.equal(sent(), 0);
  await call('POST', '/chat/handoffs', { conversationId }, { botId });
  await panel(visitor).getByText('Waiting for a person …').waitFor();
  await panel(visitor).locator('textarea').pressSequentially('Hello');
  await typing.getByText('Ada is typing').waitFor();
  await panel(visitor).locator('textarea').fill('');
  await typing.waitFor({ state: 'detached' });
  done('shows the typing of the visitor until it ends, and sends none while only the bot is there');

  const ben = await openAs(await newContext(browser), colleague, conversationId);
  await colleagueIn(olivia, 'viewing').getByText('Ben Colleague is viewing').waitFor();
  await colleagueIn(ben, 'viewing').getByText('Olivia Owner is viewing').waitFor(REPORTED);
  const reply = ben.getByRole('textbox', { name: 'Reply text' });
  await reply.pressSequentially('I will');
  await colleagueIn(olivia, 'writingReply').getByText('Ben Colleague is writing a reply').waitFor();
  await panel(visitor).locator('textarea').pressSequentially('Anybody there?');
  await typing.waitFor();
  await capture(olivia, 'presence');
  assert.deepEqual(await violationsIn(ben), []);
  await reply.fill('');
  await colleagueIn(olivia, 'viewing').waitFor();
  done('shows an agent that a colleague views the conversation and writes a reply');

  await ben.getByRole('button', { name: 'Take over', exact: true }).click();
  await panel(visitor).getByText('You are talking to Ben Colleague').waitFor();
  const told = countTyping(ben);
  await ben.getByRole('button', { name: 'Note', exact: true }).click();
  await ben.getByRole('textbox', { name: 'Note text' }).pressSequentially('A difficult case');
  await colleagueIn(olivia, 'writingNote').getByText('Ben Colleague is writing a note').waitFor();
  assert.equal(told(), 0);
  assert.equal(await panel(visitor).locator('.typing').count(), 0);
  await ben.getByRole('button', { name: 'Reply', exact: true }).click();
  await ben.getByRole('textbox', { name: 'Reply text' }).pressSequentially('We are looking');
  await panel(visitor).locator('.typing').waitFor();
  done('shows the visitor the typing of a reply, and nothing of a note');

  await ben.goto(`${CONSOLE}#/inbox?view=all`);
  await olivia.locator('[data-colleague]').waitFor({ state: 'detached' });
  await ben.context().close();
  done('shows that a colleague has left');
  await demote(browser, conversationId);

  await visitor.close();
  await olivia.locator('[data-visitor=away]').getByText('Last seen').waitFor({ timeout: 60_000 });
  done('shows when a visitor who has left was last seen');
  await captureLooks(browser, conversationId);
  await olivia.context().close();
}

/** A member is demoted while their page is open. A presence or an action that fails reads the role again. */
async function demote(browser: Browser, conversationId: string): Promise<void> {
  const name = `Dan ${Date.now().toString(36)}`;
  const dan = await openAs(await newContext(browser), await invite(name), conversationId);
  const { members } = await adminClient().listWorkspaceMembers({});
  const { id } = members.find(({ displayName }) => displayName === name)!;
  const setRole = (role: string) => adminClient().updateWorkspaceMember({ id, role: role as 'viewer' });
  const composer = dan.getByRole('textbox', { name: /^(Reply|Note) text$/ });
  const isReadOnly = async () => {
    await composer.waitFor({ state: 'detached' });
    await dan.locator('[data-message]').first().waitFor();
    assert.equal(await dan.getByRole('button', { name: 'Take over', exact: true }).count(), 0);
  };
  await dan.getByRole('button', { name: 'Note', exact: true }).click();
  await setRole('viewer');
  await composer.pressSequentially('A remark');
  await isReadOnly();

  await setRole('agent');
  await dan.reload();
  await composer.waitFor();
  await dan.route('**/presence', route => route.abort());
  await setRole('viewer');
  await dan.getByRole('button', { name: 'Take over', exact: true }).click();
  await isReadOnly();
  await dan.context().close();
  done('turns the page of a demoted member read-only with the next call that the role does not allow');
}

const colleagueIn = (page: Page, state: string) => page.locator(`[data-colleague=${state}]`);

async function openAs(context: BrowserContext, token: string, conversationId: string): Promise<Page> {
  const page = await signedIn(context, token, token === local.tokens.owner ? 'Bots' : 'Inbox');
  await page.goto(`${CONSOLE}#/inbox/${botId}/${conversationId}?view=all`);
  await page.locator(`[data-open-conversation="${conversationId}"] [data-message]`).first().waitFor();
  return page;
}

async function visitIn(page: Page) {
  const visit = page.getByRole('region', { name: 'Visit' });
  const details = page.getByRole('button', { name: 'Details' });
  if ((await details.getAttribute('aria-expanded')) !== 'true') await details.click();
  return visit;
}

/** Counts the calls that show typing to the other side. */
function countTyping(page: Page): () => number {
  let count = 0;
  page.on('request', request => {
    if (request.url().endsWith('/typing') && request.postData() === '{"isTyping":true}') count++;
  });
  return () => count;
}

/** Invites an agent. @returns their token */
async function invite(displayName: string): Promise<string> {
  const email = `ben-${Date.now().toString(36)}@example.com`;
  const { inviteToken } = await call('POST', '/admin/workspace-members', { email, role: 'agent' });
  return (await call('POST', '/admin/invitations/accept', { inviteToken, displayName })).token;
}

async function captureLooks(browser: Browser, conversationId: string): Promise<void> {
  await eachLook(browser, 1_440, async (page, name) => {
    const ben = await invite('Ben Colleague');
    const state = 'writingReply';
    await call('POST', `/chat/conversations/${conversationId}/presence`, { state }, { botId, token: ben });
    await page.goto(`${CONSOLE}#/inbox/${botId}/${conversationId}?view=all`);
    await page.waitForTimeout(3_000);
    await capture(page, name);
    const details = page.getByRole('button', { name: 'Details' });
    if ((await details.getAttribute('aria-expanded')) === 'true') return;
    await details.click();
    await page.waitForTimeout(1_000);
    await capture(page, `${name}-details`);
  });
}

/** The jobs of a support team from start to end, with the clicks that they take. */
import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { newDeadEndpoint } from '#test/support/deadEndpoint.ts';
import { type EndUser, newEndUser } from './endUser.ts';
import { adminClient, botClient, call, done, local, newContext, signedIn, until } from './stage.ts';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const reply = (page: Page) => page.getByLabel('Reply text');

export async function testJobs(browser: Browser): Promise<void> {
  const word = Date.now().toString(36);
  const { bot } = await adminClient().createBot({ name: `Bot of the jobs ${word}` });
  await adminClient().updateBot({
    id: bot.id,
    integrations: { chat: { integrationId: local.integrationId, enabled: true } },
  });
  const customer = await newEndUser(bot.id, `Ada ${word}`);
  const email = `ada.${word}@example.com`;
  const { participants } = await botClient(bot.id).listParticipants({ id: customer.id });
  const user = participants.find(({ id }) => id !== bot.id)!;
  await botClient(bot.id).updateUser({ id: user.id, tags: { mail: email } });
  await customer.say('Where is my parcel?');
  await call('POST', '/chat/handoffs', { conversationId: customer.id, reason: 'Parcel' }, { botId: bot.id });

  const agent = await inviteAndAnswer(browser, word, customer);
  await findByEmail(agent, email, word);
  await attach(agent, customer);
  await handBack(agent, bot.id, customer.id);
  await seeReport(browser);
  await seeWhyUnanswered(browser, bot.id, customer);
  await agent.context().close();
  await customer.leave();
}

/** Counts the clicks of the mouse on a page. */
async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0;
  await page.exposeFunction('countClick', () => {
    clicks += 1;
  });
  const count = "addEventListener('click', event => { if (event.isTrusted && event.detail > 0) countClick() }, true)";
  await page.addInitScript(count);
  await page.evaluate(count);
  return () => {
    const counted = clicks;
    clicks = 0;
    return counted;
  };
}

let clicksOfAgent: () => number;

function took(job: string, clicks: number, most: number): void {
  assert.ok(clicks <= most, `To ${job} takes ${clicks} clicks, more than ${most}.`);
  done(`${job}: ${clicks} clicks`);
}

async function inviteAndAnswer(browser: Browser, word: string, customer: EndUser): Promise<Page> {
  const owner = await signedIn(await newContext(browser));
  const clicks = await countClicks(owner);
  await owner.getByRole('link', { name: 'Members' }).click();
  await button(owner, 'Invite member').click();
  const dialog = owner.getByRole('dialog', { name: 'Invite member' });
  await dialog.getByLabel('Email').fill(`olivia.${word}@example.com`);
  await dialog.getByLabel('Role').selectOption('agent');
  await owner.keyboard.press('Enter');
  const link = await dialog.getByLabel('Link', { exact: true }).inputValue();
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  took('invite an agent', clicks(), 4);
  await owner.context().close();

  const agent = await (await newContext(browser)).newPage();
  await agent.goto(link);
  clicksOfAgent = await countClicks(agent);
  await agent.getByLabel('Your name').fill('Olivia');
  await agent.keyboard.press('Enter');
  await agent.locator(`a[data-conversation="${customer.id}"]`).click();
  await reply(agent).click();
  await agent.keyboard.type('It arrives tomorrow.');
  await agent.keyboard.press('Enter');
  await until(async () => customer.heard.some(each => each.includes('It arrives tomorrow.')));
  took('accept the invitation and answer', clicksOfAgent(), 2);
  return agent;
}

async function findByEmail(agent: Page, email: string, word: string): Promise<void> {
  await agent.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Inbox' }).click();
  await agent.getByLabel('Search customers and messages').click();
  await agent.keyboard.type(email);
  const results = agent.getByRole('navigation', { name: 'Search results' });
  await results
    .getByRole('link', { name: new RegExp(word) })
    .first()
    .click();
  await agent.locator('[data-message]', { hasText: 'Where is my parcel?' }).waitFor();
  took('find a customer by email', clicksOfAgent(), 3);
}

async function attach(agent: Page, customer: EndUser): Promise<void> {
  const chosen = agent.waitForEvent('filechooser');
  await agent.getByRole('button', { name: /^Attach/ }).click();
  await (await chosen).setFiles({ name: 'invoice.txt', mimeType: 'text/plain', buffer: Buffer.from('Invoice 17') });
  await agent.getByRole('list', { name: 'Attachments' }).getByText('invoice.txt').waitFor();
  await reply(agent).focus();
  await agent.keyboard.press('Enter');
  await until(async () => customer.heard.some(each => each.includes('invoice')));
  took('attach a file', clicksOfAgent(), 2);
}

async function handBack(agent: Page, botId: string, conversationId: string): Promise<void> {
  await button(agent, 'Hand back').click();
  await until(async () => {
    const { handoffs } = await call('GET', `/chat/handoffs?conversationId=${conversationId}`, undefined, { botId });
    return handoffs[0].status === 'closed' && handoffs[0].outcome === 'handedBack';
  });
  took('hand back to the bot', clicksOfAgent(), 1);
}

async function seeReport(browser: Browser): Promise<void> {
  const manager = await signedIn(await newContext(browser));
  const clicks = await countClicks(manager);
  await manager.getByRole('link', { name: 'Reports' }).click();
  await manager.getByRole('heading', { name: 'Reports', level: 1 }).waitFor();
  await manager.getByRole('button', { name: 'Earlier' }).click();
  took("see last week's report", clicks(), 2);
  await manager.context().close();
}

async function seeWhyUnanswered(browser: Browser, botId: string, customer: EndUser): Promise<void> {
  const dead = await newDeadEndpoint();
  await adminClient().updateBot({ id: botId, url: dead.url });
  await customer.say('Hello?');
  const developer = await signedIn(await newContext(browser));
  const clicks = await countClicks(developer);
  const row = developer.getByRole('row').filter({ hasText: botId });
  await row.getByText(/^Unreachable since/).waitFor();
  await row.getByRole('link').first().click();
  const alert = developer.getByRole('alert').filter({ hasText: 'Unreachable since' });
  await alert.getByText(/could not be called/).waitFor();
  await alert.getByText(/Next attempt at/).waitFor();
  await alert.getByRole('button', { name: 'Retry now' }).waitFor();
  took('see why the bot does not answer', clicks(), 1);
  await developer.context().close();
}

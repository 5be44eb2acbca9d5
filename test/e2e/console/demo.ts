/** The demo, from the link that `npm start` prints to the answer of a member. */
import type { Browser } from 'playwright-core';
import { DEMO_EMAIL } from '#infra/local/demo.ts';
import { DEMO_PAGE } from '#infra/local/demoPage.ts';
import { CONSOLE, done, local, newContext, newLink, open } from './stage.ts';
import { bubbles, openChat, panel, say, untilOpened } from './widgetSite.ts';

export async function testDemo(browser: Browser): Promise<void> {
  const context = await newContext(browser);
  const shop = await context.newPage();
  await shop.goto(newLink().replace(CONSOLE, `${CONSOLE}${DEMO_PAGE}`));
  await openChat(shop);
  await untilOpened(shop);

  await bubbles(shop, 'other', 'Welcome to the demo shop').waitFor();
  await panel(shop).getByRole('button', { name: 'Track an order' }).click();
  await bubbles(shop, 'other', 'Enter the number').waitFor();
  await say(shop, '1001');
  await panel(shop).getByText('Order 1001: shipped').waitFor();
  done('finds an order in a table');

  await say(shop, 'Do you deliver abroad?');
  await bubbles(shop, 'other', 'up to ten days abroad').waitFor();
  done('answers a question from the files');

  await panel(shop).getByRole('button', { name: 'Talk to a person' }).last().click();
  await bubbles(shop, 'other', 'A person will answer').waitFor();
  const [desk] = await Promise.all([
    context.waitForEvent('page'),
    shop.getByRole('link', { name: 'the console' }).click(),
  ]);
  await desk.getByRole('heading', { name: 'Bots', level: 1 }).waitFor();
  await desk.getByText('Demo shop').waitFor();
  await open(desk, `/inbox?bot=${local.shopBotId}`, 'Inbox');
  await desk.locator('a[data-conversation]').first().click();
  await desk.getByRole('button', { name: 'Take over', exact: true }).click();
  await desk.getByLabel('Reply text').fill('Hello, I am a person.');
  await desk.keyboard.press('Enter');
  await bubbles(shop, 'other', 'Hello, I am a person.').waitFor();
  done(`signs ${DEMO_EMAIL} in by the link of npm start, and answers as a person`);

  await desk.keyboard.press('Escape');
  await desk.keyboard.press('e');
  await desk
    .getByText(/resolved the conversation/)
    .first()
    .waitFor();
  await say(shop, 'I want to talk to a human');
  await bubbles(shop, 'other', 'A person will answer').nth(1).waitFor();
  await open(desk, `/inbox?bot=${local.shopBotId}&view=waiting`, 'Inbox');
  await desk.locator('a[data-conversation]').first().getByText('Asked for a person').waitFor();
  done('starts a handoff for a visitor who writes that they want to talk to a human');
  await context.close();
}

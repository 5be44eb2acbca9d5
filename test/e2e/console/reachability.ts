/** The pages of a bot whose endpoint is dead, then works, without a reload. */
import type { Browser, Page } from 'playwright-core';
import { newDeadEndpoint } from '#test/support/deadEndpoint.ts';
import { newEndUser } from './endUser.ts';
import { adminClient, call, done, local, newContext, open, PHONE, signedIn, until } from './stage.ts';

const shoot = async (page: Page, name: string) => {
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/reachability-${name}.png` });
};

const statusOf = async (botId: string): Promise<string> =>
  (await call('GET', `/admin/bots/${botId}/endpoints`)).endpoints[0].status;

export async function testReachability(browser: Browser): Promise<void> {
  const context = await newContext(browser);
  const page = await signedIn(context);
  const { bot } = await adminClient().createBot({ name: 'Unreachable bot' });
  const ownRow = page.getByRole('row', { name: /^Unreachable bot/ }).filter({ hasText: bot.id });
  await page.reload();
  await ownRow.getByText('Not deployed yet').waitFor();
  await open(page, `/bots/${bot.id}`, 'Unreachable bot');
  await page.getByRole('region', { name: 'Deployment' }).getByText('Not deployed yet').waitFor();
  done('shows that a new bot runs nowhere, in the list and on its page');

  const dead = await newDeadEndpoint();
  await adminClient().updateBot({
    id: bot.id,
    url: dead.url,
    integrations: { chat: { integrationId: local.integrationId, enabled: true } },
  });
  const user = await newEndUser(bot.id, 'Grace');
  await page.reload();
  await page.getByText('Active', { exact: true }).waitFor();
  await user.say('Is anybody there?');
  await page
    .getByText(/^Unreachable since/)
    .first()
    .waitFor();
  const alert = page.getByRole('alert').filter({ hasText: 'Unreachable since' });
  await alert.getByText(/could not be called/).waitFor();
  await alert.getByText('Messages of 1 conversation are waiting.').waitFor();
  await shoot(page, 'overview');
  done('reports a dead endpoint on the open overview, without a reload');

  const list = await context.newPage();
  await open(list, '', 'Bots');
  await list
    .getByRole('row')
    .filter({ hasText: bot.id })
    .getByText(/^Unreachable since/)
    .waitFor();
  await shoot(list, 'bots');
  await list.emulateMedia({ colorScheme: 'dark' });
  await shoot(list, 'bots-dark');
  await list.setViewportSize(PHONE);
  await shoot(list, 'bots-phone');
  const talk = await context.newPage();
  await open(talk, `/bots/${bot.id}/conversations/${user.id}`, 'Grace');
  const line = talk.locator('[data-message]', { hasText: 'Is anybody there?' });
  await line.getByText(/could not be called/).waitFor();
  await line.getByText(/next attempt at/).waitFor();
  await shoot(talk, 'message');
  done('shows the reason and the next attempt at the pending message, and the bot as unreachable in the list');

  await until(async () => (await statusOf(bot.id)) === 'unreachable');
  await dead.start();
  await talk.getByRole('button', { name: 'Retry now' }).click();
  await line.getByText('Delivered').waitFor();
  await page.bringToFront();
  await page.getByText('Active', { exact: true }).waitFor();
  await alert.waitFor({ state: 'hidden' });
  await list.bringToFront();
  await list.getByRole('row').filter({ hasText: bot.id }).getByText('Active', { exact: true }).waitFor();
  done('delivers the message after “Retry now”, and shows the bot as active on all open pages');

  dead.stop();
  await user.say('And now?');
  await page.bringToFront();
  await alert.waitFor();
  await alert.getByRole('button', { name: 'Retry now' }).click();
  await page.getByText('Trying the endpoint again.').waitFor();
  await alert.waitFor();
  done('reports the same endpoint again, and keeps reporting it after a retry that fails');
  await adminClient().deleteBot({ id: bot.id });
  await user.leave();
  await context.close();
}

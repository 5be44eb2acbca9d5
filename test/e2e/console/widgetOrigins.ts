/** Tests the pages that an installation permits, and the demo page of `npm start`. */
import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { violationsIn } from './accessibility.ts';
import { adminClient, CONSOLE, done, local, newContext, until } from './stage.ts';
import { bubbles, openChat, panel, say, startSite } from './widgetSite.ts';

export async function testOrigins(browser: Browser): Promise<void> {
  const [permitted, other] = await Promise.all([startSite(), startSite()]);
  const { bot } = await adminClient().createBot({ name: 'Bot of one site' });
  const { bot: installed } = await adminClient().updateBot({
    id: bot.id,
    integrations: {
      chat: {
        integrationId: local.integrationId,
        enabled: true,
        configuration: { allowedOrigins: [permitted.origin] },
      },
    },
  } as never);
  const chatUrl = installed.integrations.chat!.webhookUrl;
  const context = await newContext(browser);
  try {
    const page = await permitted.visit(context, { chatUrl });
    await openChat(page);
    await say(page, 'Hello from a permitted page');
    await bubbles(page, 'own', 'Hello from a permitted page').waitFor();

    const barred = await other.visit(context, { chatUrl });
    const warnings: string[] = [];
    barred.on('console', message => warnings.push(message.text()));
    await openChat(barred);
    await panel(barred).getByText('This chat is not available on this page.').waitFor();
    await until(async () => warnings.some(text => text.includes('allowedOrigins in the configuration')));
    assert.ok(warnings.some(text => text.includes(other.origin)));
  } finally {
    await context.close();
    permitted.stop();
    other.stop();
    await adminClient().deleteBot({ id: bot.id });
  }
  done('works in pages of allowed origins only, and logs the fix in others');
}

export async function testDemoPage(browser: Browser): Promise<void> {
  const context = await newContext(browser);
  const page = await context.newPage();
  await page.goto(`${CONSOLE}demo.html`);
  await page.getByText('data-title="Demo shop"').waitFor();
  await page.getByRole('button', { name: 'Hello! I track orders' }).waitFor();
  assert.deepEqual(await violationsIn(page), []);
  assert.ok(local.widgetEmbed!.includes(`src="${local.widgetUrl}"`));
  await openChat(page);
  await panel(page).getByText('Demo shop').waitFor();
  await say(page, 'Where is my order 1001?');
  await bubbles(page, 'other', 'Order 1001').waitFor();
  await context.close();
  done('chats with the demo bot on the demo page');
}

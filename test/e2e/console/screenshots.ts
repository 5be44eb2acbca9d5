/** Takes the screenshots of docs/console.md and docs/widget.md. */
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { adminClient, botClient, CONSOLE, call, local, newContext, open, say as report, signedIn } from './stage.ts';
import { bubbles, openChat, panel, say, untilOpened } from './widgetSite.ts';

// The package's ES module does not load in Node.
const chat: typeof import('@botpress/chat') = createRequire(import.meta.url)('@botpress/chat');

const FOLDER = join(import.meta.dirname, '../../../docs/images');
const SIZE = { width: 1000, height: 620 };

/** Returns the conversation with the most messages. */
async function talkedIn(botId: string): Promise<string> {
  const client = botClient(botId);
  const { conversations } = await client.listConversations({});
  const said = await Promise.all(
    conversations.map(
      async ({ id }) => [(await client.listMessages({ conversationId: id })).messages.length, id] as const,
    ),
  );
  return said.sort(([a], [b]) => b - a)[0]![1];
}

/** Opens a conversation of the member, among others that wait. */
async function showInbox(page: Page): Promise<void> {
  const { bot } = await adminClient().createBot({ name: 'Acme' });
  const botId = bot.id;
  await adminClient().updateBot({
    id: botId,
    integrations: { chat: { integrationId: local.integrationId, enabled: true } },
  } as never);
  const { bot: withChat } = await adminClient().getBot({ id: botId });
  const apiUrl = `${local.apiUrl}/chat/${withChat.integrations.chat!.webhookId}`;
  const ids: string[] = [];
  for (const [name, text, reason] of [
    ['Jonas Weber', 'Ich möchte meinen Vertrag kündigen.', 'Cancellation'],
    ['Priya Natarajan', 'The invoice shows the wrong VAT number.', 'Invoice'],
    ['Amelia Nguyen', 'Where is my order 4711? It should have arrived on Monday.', 'Late delivery'],
  ] as const) {
    const user = await chat.Client.connect({ apiUrl });
    await user.updateUser({ name });
    const { id } = (await user.createConversation({})).conversation;
    ids.push(id);
    await user.createMessage({ conversationId: id, payload: { type: 'text', text } });
    await call('POST', '/chat/handoffs', { conversationId: id, reason }, { botId });
  }
  const id = ids.at(-1)!;
  await page.goto(`${CONSOLE}#/inbox/${botId}/${id}?bot=${botId}&view=open`);
  await page.getByRole('button', { name: 'Take over', exact: true }).click();
  await page.getByLabel('Reply text').fill('Hello Amelia, I am asking our carrier. One moment, please.');
  await page.keyboard.press('Enter');
  await page.locator('[data-message]', { hasText: 'One moment' }).waitFor();
  await page.getByRole('button', { name: 'Note', exact: true }).click();
  await page.getByLabel('Note text').fill('The carrier lost the parcel. Send another one.');
  await page.keyboard.press('Enter');
  await page.getByText('Delete note').waitFor();
  await page.getByRole('button', { name: 'Reply', exact: true }).click();
  await page.getByText('Sending').waitFor({ state: 'detached' });
}

export async function takeScreenshots(browser: Browser): Promise<void> {
  const { bots } = await adminClient().listBots({ sortField: 'createdAt', sortDirection: 'desc' });
  const testBotId = bots.find(({ name }) => name === 'Test bot')?.id ?? local.botId;
  const withTable = bots.find(({ name }) => name === 'Bot with tables')?.id;
  const conversation = await talkedIn(testBotId);
  mkdirSync(FOLDER, { recursive: true });
  await call('PUT', '/admin/account/me', { displayName: 'Olivia Okafor' });
  const context = await newContext(browser, SIZE);
  const page = await signedIn(context);
  await open(page, `/bots/${testBotId}/conversations/${conversation}`, /./);
  await page.locator('[data-message]').first().waitFor();
  await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
  await page.screenshot({ path: join(FOLDER, 'conversation.png') });
  await page.goto(`${CONSOLE}#/bots/${testBotId}/integrations?installation=chat`);
  await page.getByRole('dialog').getByLabel('Allowed origins').waitFor();
  await page.screenshot({ path: join(FOLDER, 'integrations.png') });
  await showInbox(page);
  await page.screenshot({ path: join(FOLDER, 'inbox.png') });
  if (withTable) {
    const { tables } = await botClient(withTable).listTables({});
    await page.emulateMedia({ colorScheme: 'dark' });
    await open(page, `/bots/${withTable}/tables/${tables[0]!.id}`, tables[0]!.name);
    await page.getByText('City 0').waitFor();
    await page.screenshot({ path: join(FOLDER, 'table.png') });
  }
  await takeWidget(await context.newPage());
  await context.close();
  report(`The screenshots are in ${FOLDER}.`);
}

/** The widget on the demo page. */
async function takeWidget(page: Page): Promise<void> {
  await page.goto(`${CONSOLE}demo.html`);
  await openChat(page);
  await untilOpened(page);
  await panel(page).getByRole('button', { name: 'Track an order' }).click();
  await bubbles(page, 'other', 'Enter the number').waitFor();
  await say(page, '1001');
  await panel(page).getByText('Order 1001: shipped').waitFor();
  await page.screenshot({ path: join(FOLDER, 'widget.png') });
}

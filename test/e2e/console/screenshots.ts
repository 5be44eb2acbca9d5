/** Takes the screenshots of docs/console.md. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { adminClient, botClient, local, newContext, open, say, signedIn } from './stage.ts';

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

export async function takeScreenshots(browser: Browser): Promise<void> {
  const { bots } = await adminClient().listBots({ sortField: 'createdAt', sortDirection: 'desc' });
  const testBotId = bots.find(({ name }) => name === 'Test bot')?.id ?? local.botId;
  const withTable = bots.find(({ name }) => name === 'Bot of tables')?.id;
  const conversation = await talkedIn(testBotId);
  mkdirSync(FOLDER, { recursive: true });
  const context = await newContext(browser, SIZE);
  const page = await signedIn(context);
  await open(page, `/bots/${testBotId}/conversations/${conversation}`, /./);
  await page.locator('[data-message]').first().waitFor();
  await page.screenshot({ path: join(FOLDER, 'conversation.png') });
  if (withTable) {
    const { tables } = await botClient(withTable).listTables({});
    await page.emulateMedia({ colorScheme: 'dark' });
    await open(page, `/bots/${withTable}/tables/${tables[0]!.id}`, tables[0]!.name);
    await page.getByText('City 0').waitFor();
    await page.screenshot({ path: join(FOLDER, 'table.png') });
  }
  await context.close();
  say(`The screenshots are in ${FOLDER}.`);
}

/**
 * `npm run canary`: makes the workspace, the bot and the chat of the canary, which `talkToCanary` chats with. Run
 * again, it makes what is missing.
 */
import { parseArgs } from 'node:util';
import { CHAT_DEFINITION } from '#infra/local/chatDefinition.ts';
import { apiCaller, findOrCreateIntegration } from '#infra/local/demo.ts';
import { bundleDeployedBot } from '#infra/local/deployedBot.ts';
import { bootstrap } from '#shared/domain/admin/bootstrap.ts';
import { chatWithBot } from '#shared/events/canary/chatWithBot.ts';
import { findCanary, putCanary } from '#shared/storage/dynamodb/canary.ts';
import { findAddresses, runCommand, targetOptions, useTarget } from './target.ts';

const EMAIL = 'canary@example.com';
const WORKSPACE = 'Canary';
const BOT = 'Canary';
/** The first answer waits for the code to be rolled out. */
const WAIT_MS = 120_000;

await runCommand(async () => {
  const { values } = parseArgs({ options: targetOptions });
  await useTarget(values);
  const { apiBaseUrl, chatBaseUrl } = await findAddresses(values);
  const canary = (await findCanary()) ?? { webhookId: await setUp(apiBaseUrl) };
  await putCanary(canary);
  const ms = await chatWithBot(`${chatBaseUrl}/${canary.webhookId}`, { waitMs: WAIT_MS });
  process.stdout.write(`The canary's bot answered after ${ms} ms.\n`);
});

interface Pat {
  id: string;
  createdAt: string;
}

/** @returns the id of the chat's webhook */
async function setUp(apiBaseUrl: string): Promise<string> {
  const { workspaceId, token } = await bootstrap(EMAIL, WORKSPACE, { isTokenWanted: true });
  const call = apiCaller(apiBaseUrl, workspaceId, token!);
  const integrationId = await findOrCreateIntegration(call, CHAT_DEFINITION);
  const { bot } = await call('POST', '/bots', { name: BOT, code: await bundleDeployedBot() });
  const { bot: withChat } = await call('PUT', `/bots/${bot.id}`, {
    integrations: { chat: { integrationId, enabled: true, configuration: {} } },
  });
  // Nobody needs the token any more; `npm run bootstrap -- --new-token` makes another.
  const { pats } = await call('GET', '/account/pats');
  const [mine] = pats.toSorted((a: Pat, b: Pat) => b.createdAt.localeCompare(a.createdAt));
  await call('DELETE', `/account/pats/${mine.id}`);
  return withChat.integrations.chat.webhookId;
}

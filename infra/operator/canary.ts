/** `npm run canary`: creates the workspace, bot and chat that `talkToCanary` uses. Idempotent. */
import { CHAT_DEFINITION } from '#infra/local/chatDefinition.ts';
import { apiCaller, findOrCreateIntegration } from '#infra/local/demo.ts';
import { bundleDeployedBot } from '#infra/local/deployedBot.ts';
import { findAddresses, runCommand, targetOptions, useTarget } from '#infra/operator/target/target.ts';
import { parseCommand } from '#infra/settings/commandLine.ts';
import { bootstrap } from '#shared/domain/admin/workspaces/bootstrap.ts';
import { chatWithBot } from '#shared/events/canary/chatWithBot.ts';
import { findCanary, putCanary } from '#shared/storage/dynamodb/maintenance/canary.ts';

const EMAIL = 'canary@example.com';
const WORKSPACE = 'Canary';
const BOT = 'Canary';
/** The first reply waits for the code's rollout. */
const WAIT_MS = 120_000;

const USAGE =
  'npm run canary [-- --stack Parley | --local]\\nCreates the bot whose replies an alarm watches, and waits for a reply.';

await runCommand(async () => {
  const { values } = parseCommand(USAGE, { options: targetOptions });
  await useTarget(values);
  const { apiBaseUrl, chatBaseUrl } = await findAddresses(values);
  const canary = (await findCanary()) ?? { webhookId: await setUp(apiBaseUrl) };
  await putCanary(canary);
  const ms = await chatWithBot(`${chatBaseUrl}/${canary.webhookId}`, { waitMs: WAIT_MS });
  process.stdout.write(`The canary's bot replied after ${ms} ms.\n`);
});

interface Pat {
  id: string;
  createdAt: string;
}

async function setUp(apiBaseUrl: string): Promise<string> {
  const { workspaceId, token } = await bootstrap(EMAIL, WORKSPACE, { isTokenWanted: true });
  const call = apiCaller(apiBaseUrl, workspaceId, token!);
  const integrationId = await findOrCreateIntegration(call, CHAT_DEFINITION);
  const { bot } = await call('POST', '/bots', { name: BOT, code: await bundleDeployedBot() });
  const { bot: withChat } = await call('PUT', `/bots/${bot.id}`, {
    integrations: { chat: { integrationId, enabled: true, configuration: {} } },
  });
  // Revoke the token, which only this setup needs.
  const { pats } = await call('GET', '/account/pats');
  const [mine] = pats.toSorted((a: Pat, b: Pat) => b.createdAt.localeCompare(a.createdAt));
  await call('DELETE', `/account/pats/${mine.id}`);
  return withChat.integrations.chat.webhookId;
}

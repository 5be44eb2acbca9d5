/** The temporary workspace of a load, with bots that echo messages. */
import { CHAT_DEFINITION } from '#infra/local/chatDefinition.ts';
import { apiCaller, findOrCreateIntegration } from '#infra/local/demo.ts';
import { bundleDeployedBot } from '#infra/local/deployedBot.ts';
import { bootstrap } from '#shared/domain/admin/workspaces/bootstrap.ts';
import { chatWithBot } from '#shared/events/canary/chatWithBot.ts';

const EMAIL = 'load@example.com';
const WORKSPACE = 'Load';
/** The first reply waits for the code's rollout. */
const ROLLOUT_MS = 180_000;

export interface LoadBot {
  id: string;
  chatUrl: string;
  headers: Record<string, string>;
}

export interface LoadTenant {
  bots: LoadBot[];
  remove(): Promise<void>;
}

export async function setUp(
  { apiBaseUrl, chatBaseUrl }: { apiBaseUrl: string; chatBaseUrl: string },
  count: number,
): Promise<LoadTenant> {
  const { workspaceId, token } = await bootstrap(EMAIL, WORKSPACE, { isTokenWanted: true });
  const call = apiCaller(apiBaseUrl, workspaceId, token!);
  const integrationId = await findOrCreateIntegration(call, CHAT_DEFINITION);
  const code = await bundleDeployedBot();
  const made: string[] = [];
  const remove = async () => {
    for (const id of made) await call('DELETE', `/bots/${id}`);
    await removeToken(call);
  };
  try {
    const bots: LoadBot[] = [];
    for (let i = 0; i < count; i++) {
      const { bot } = await call('POST', '/bots', { name: `Load ${i + 1}`, code });
      made.push(bot.id);
      const integrations = { chat: { integrationId, enabled: true, configuration: {} } };
      const { bot: withChat } = await call('PUT', `/bots/${bot.id}`, { integrations });
      const { value } = await call('POST', '/bots/baks', { botId: bot.id });
      const chatUrl = `${chatBaseUrl}/${withChat.integrations.chat.webhookId}`;
      bots.push({ id: bot.id, chatUrl, headers: { authorization: `Bearer ${value}`, 'x-bot-id': bot.id } });
    }
    for (const { chatUrl } of bots) await chatWithBot(chatUrl, { waitMs: ROLLOUT_MS });
    return { bots, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Revokes the newest token, which this run created. */
async function removeToken(call: ReturnType<typeof apiCaller>): Promise<void> {
  const { pats }: { pats: { id: string; createdAt: string }[] } = await call('GET', '/account/pats');
  const [mine] = pats.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
  await call('DELETE', `/account/pats/${mine!.id}`);
}

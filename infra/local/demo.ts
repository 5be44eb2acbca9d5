/** Creates the demo workspace through the APIs. */

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { signUserKey } from '#shared/api/chat/userKey.ts';
import { clock } from '#shared/core/clock.ts';
import { bootstrap } from '#shared/domain/admin/workspaces/bootstrap.ts';
import { CHAT_DEFINITION } from './chatDefinition.ts';
import { bundleBot, bundleDeployedBot } from './deployedBot.ts';
import { addShopContent } from './shop/shopContent.ts';
import { WEBCHAT_DEFINITION } from './webchatDefinition.ts';

export interface LocalFile {
  chatUrl: string;
  extendedChatUrl: string;
  deployedChatUrl: string;
  webchatUrl: string;
  shopChatUrl: string;
  apiUrl: string;
  botUrl: string;
  tunnelUrl: string;
  /** The widget's script, and its tag for the demo. Undefined without a console. */
  widgetUrl?: string;
  widgetEmbed?: string;
  workspaceId: string;
  botId: string;
  integrationId: string;
  integrationAlias: string;
  webhookId: string;
  encryptionKey: string;
  extendedWebhookId: string;
  deployedBotId: string;
  deployedWebhookId: string;
  webchatWebhookId: string;
  /** The bot of the demo page, and its chat. */
  shopBotId: string;
  shopWebhookId: string;
  tokens: Record<'owner' | 'developer' | 'viewer' | 'billing' | 'bot' | 'integration', string>;
}

export type DemoTenant = Omit<
  LocalFile,
  | 'chatUrl'
  | 'extendedChatUrl'
  | 'deployedChatUrl'
  | 'webchatUrl'
  | 'shopChatUrl'
  | 'apiUrl'
  | 'botUrl'
  | 'tunnelUrl'
  | 'widgetUrl'
  | 'widgetEmbed'
>;

const SHOP_BOT = join(import.meta.dirname, 'shop/shopBot.ts');
const ALIAS = 'chat';
const EXTENDED = 'extended';
const WEBCHAT = 'webchat';
export const DEMO_EMAIL = 'owner@example.com';
const MEMBERS = ['developer', 'viewer', 'billing'] as const;

export async function installDemo(
  apiUrl: string,
  previous?: DemoTenant,
): Promise<{ tenant: DemoTenant; userKey: string }> {
  const tenant = previous && (await exists(apiUrl, previous)) ? previous : await createDemo(apiUrl);
  return { tenant, userKey: signUserKey(tenant, { id: 'demo-user' }) };
}

/** Points the bot at its new endpoint, unless its `url` was changed to another one in the meantime. */
export async function connectBot(apiUrl: string, tenant: DemoTenant, newUrl: string, previousUrl?: string) {
  const url = `${apiUrl}/v1/admin/bots/${tenant.botId}`;
  const headers = ownerHeaders(tenant.workspaceId, tenant.tokens.owner);
  const { bot } = (await (await fetch(url, { headers })).json()) as { bot: { url?: string } };
  if (bot.url !== undefined && bot.url !== previousUrl) return;
  await fetch(url, { method: 'PUT', headers, body: JSON.stringify({ url: newUrl }) });
}

/** Returns the widget's script tag for the bot of the demo page. */
export async function widgetEmbedOf(apiUrl: string, { workspaceId, shopBotId, tokens }: DemoTenant): Promise<string> {
  const call = apiCaller(apiUrl, workspaceId, tokens.owner);
  return (await call('GET', `/bots/${shopBotId}/webchat?type=widget`)).code;
}

async function exists(apiUrl: string, { workspaceId, botId, tokens, shopWebhookId }: DemoTenant): Promise<boolean> {
  // The folder of an earlier version has no shop.
  if (shopWebhookId === undefined) return false;
  const headers = ownerHeaders(workspaceId, tokens?.owner);
  return (await fetch(`${apiUrl}/v1/admin/bots/${botId}`, { headers })).ok;
}

const ownerHeaders = (workspaceId: string, token: string | undefined) => ({
  authorization: `Bearer ${token}`,
  'x-workspace-id': workspaceId,
  'content-type': 'application/json',
});

// biome-ignore lint/suspicious/noExplicitAny: callers read a few fields of many responses
type Call = (method: string, path: string, body?: object) => Promise<any>;

export const apiCaller =
  (apiUrl: string, workspaceId: string, token: string | undefined): Call =>
  async (method, path, body) => {
    const response = await fetch(`${apiUrl}/v1/admin${path}`, {
      method,
      headers: ownerHeaders(workspaceId, token),
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`);
    return response.json();
  };

async function createDemo(apiUrl: string): Promise<DemoTenant> {
  const { workspaceId, token: owner } = await bootstrap(DEMO_EMAIL, 'Demo', { isTokenWanted: true });
  const call = apiCaller(apiUrl, workspaceId, owner);

  const members = await Promise.all(
    MEMBERS.map(async role => {
      const email = `${role}-${clock.now().toString(36)}@example.com`;
      const { inviteToken } = await call('POST', '/workspace-members', { email, role });
      return [role, (await call('POST', '/invitations/accept', { inviteToken })).token];
    }),
  );
  const { bot } = await call('POST', '/bots', { name: 'Echo bot' });
  const [integrationId, webchatId] = (await Promise.all(
    [CHAT_DEFINITION, WEBCHAT_DEFINITION].map(definition => findOrCreateIntegration(call, definition)),
  )) as [string, string];
  // Accepts user keys signed with its encryption key, and creates users with ids of the client's choice.
  const configuration = { encryptionKey: randomBytes(32).toString('base64'), openSignUp: 'withIds' };
  const { bot: withChat } = await call('PUT', `/bots/${bot.id}`, {
    integrations: {
      [ALIAS]: { integrationId, enabled: true, configuration },
      [EXTENDED]: { integrationId, enabled: true, configuration: { ...configuration, payloadExtensions: true } },
    },
  });
  const { webhookId } = withChat.integrations[ALIAS];
  const { webhookId: extendedWebhookId } = withChat.integrations[EXTENDED];
  const { bot: deployed } = await call('POST', '/bots', {
    name: 'Echo bot, deployed',
    code: await bundleDeployedBot(),
  });
  const { bot: deployedWithChat } = await call('PUT', `/bots/${deployed.id}`, {
    integrations: {
      [ALIAS]: { integrationId, enabled: true, configuration },
      [WEBCHAT]: { integrationId: webchatId, enabled: true },
    },
  });
  const shop = await createShop(call, { apiUrl, workspaceId, owner, integrationId, configuration });
  const [botKey, integrationKey] = await Promise.all([
    call('POST', '/bots/baks', { botId: bot.id, note: 'Demo' }),
    call('POST', '/integrations/iaks', { integrationId, note: 'Demo' }),
  ]);
  await Promise.all([deployed.id, shop.shopBotId].map(id => untilRunning(() => call('GET', `/bots/${id}`))));
  return {
    workspaceId,
    botId: bot.id,
    integrationId,
    integrationAlias: ALIAS,
    webhookId,
    extendedWebhookId,
    deployedBotId: deployed.id,
    deployedWebhookId: deployedWithChat.integrations[ALIAS].webhookId,
    webchatWebhookId: deployedWithChat.integrations[WEBCHAT].webhookId,
    ...shop,
    encryptionKey: configuration.encryptionKey,
    tokens: { owner, ...Object.fromEntries(members), bot: botKey.value, integration: integrationKey.value },
  };
}

interface Shop {
  apiUrl: string;
  workspaceId: string;
  owner: string | undefined;
  integrationId: string;
  configuration: object;
}

/** Creates the bot of the demo page. */
async function createShop(call: Call, { apiUrl, workspaceId, owner, integrationId, configuration }: Shop) {
  const code = await bundleBot({ entryPoints: [SHOP_BOT] });
  const { bot } = await call('POST', '/bots', { name: 'Demo shop', code });
  await addShopContent({ apiUrl, workspaceId, botId: bot.id, token: owner! });
  const { bot: withChat } = await call('PUT', `/bots/${bot.id}`, {
    integrations: { [ALIAS]: { integrationId, enabled: true, configuration } },
  });
  return { shopBotId: bot.id as string, shopWebhookId: withChat.integrations[ALIAS].webhookId as string };
}

const RUNNING_WITHIN_MS = 30_000;
const POLL_MS = 100;

/** Waits until the deployed bot's code runs, so that every URL of the welcome text works immediately. */
async function untilRunning(getBot: () => Promise<{ bot: { status: string } }>): Promise<void> {
  for (let waited = 0; waited < RUNNING_WITHIN_MS; waited += POLL_MS) {
    if ((await getBot()).bot.status !== 'deploying') return;
    await sleep(POLL_MS);
  }
}

/** Returns the id of the integration, which an earlier demo may have created. */
export async function findOrCreateIntegration(
  call: Call,
  definition: typeof CHAT_DEFINITION | typeof WEBCHAT_DEFINITION,
): Promise<string> {
  const { name, version } = definition;
  try {
    return (await call('POST', '/integrations', definition)).integration.id;
  } catch {
    return (await call('GET', `/integrations/${name}/${version}`)).integration.id;
  }
}

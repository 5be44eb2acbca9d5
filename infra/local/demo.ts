/** A demo workspace, so that the first request of a newcomer works: made through the interfaces, as anyone would. */
import { bootstrap } from '#shared/admin/bootstrap.ts';
import { signUserKey } from '#shared/api/chat/userKey.ts';
import { findWebhook, putWebhook } from '#shared/dynamodb/chat/webhooks.ts';
import { write } from '#shared/dynamodb/transaction.ts';

/** What `local.json` says: all that a caller needs to know. */
export interface LocalFile {
  /** `{chat_base_url}/{webhookUrl}` */
  chatUrl: string;
  /** The same of the installation that takes more. */
  extendedChatUrl: string;
  /** `{api_base_url}` */
  apiUrl: string;
  /** Where the demo's bot was started. */
  botUrl: string;
  workspaceId: string;
  botId: string;
  integrationId: string;
  integrationAlias: string;
  webhookId: string;
  encryptionKey: string;
  /** A second installation of the integration on the bot, with `payloadExtensions` and the same encryption key. */
  extendedWebhookId: string;
  tokens: Record<'owner' | 'developer' | 'viewer' | 'billing' | 'bot' | 'integration', string>;
}

export type Tenant = Omit<LocalFile, 'chatUrl' | 'extendedChatUrl' | 'apiUrl' | 'botUrl'>;

const ALIAS = 'chat';
const EXTENDED = 'extended';
const EMAIL = 'owner@example.com';
const MEMBERS = ['developer', 'viewer', 'billing'] as const;

/** Twice is the same as once: what was there before is kept, if it is still there. */
export async function installDemo(apiUrl: string, before?: Tenant): Promise<{ tenant: Tenant; userKey: string }> {
  const tenant = before && (await isThere(apiUrl, before)) ? before : await makeDemo(apiUrl);
  return { tenant, userKey: signUserKey(tenant, 'demo-user') };
}

/** Has the bot's events sent to where it runs now, unless its owner has moved it elsewhere. */
export async function connectBot(apiUrl: string, { botId, workspaceId, tokens }: Tenant, now: string, before?: string) {
  const url = `${apiUrl}/v1/admin/bots/${botId}`;
  const headers = {
    authorization: `Bearer ${tokens.owner}`,
    'x-workspace-id': workspaceId,
    'content-type': 'application/json',
  };
  const { bot } = (await (await fetch(url, { headers })).json()) as { bot: { url?: string } };
  if (bot.url !== undefined && bot.url !== before) return;
  await fetch(url, { method: 'PUT', headers, body: JSON.stringify({ url: now }) });
}

async function isThere(apiUrl: string, { workspaceId, botId, tokens, extendedWebhookId }: Tenant): Promise<boolean> {
  if (extendedWebhookId === undefined) return false;
  const answer = await fetch(`${apiUrl}/v1/admin/bots/${botId}`, {
    headers: { authorization: `Bearer ${tokens?.owner}`, 'x-workspace-id': workspaceId },
  });
  return answer.ok;
}

// biome-ignore lint/suspicious/noExplicitAny: a handful of fields of a handful of answers
type Call = (method: string, path: string, body?: object) => Promise<any>;

async function makeDemo(apiUrl: string): Promise<Tenant> {
  const { workspaceId, token: owner } = await bootstrap(EMAIL, 'Demo', { isTokenWanted: true });
  const call: Call = async (method, path, body) => {
    const answer = await fetch(`${apiUrl}/v1/admin${path}`, {
      method,
      headers: {
        authorization: `Bearer ${owner}`,
        'x-workspace-id': workspaceId,
        'content-type': 'application/json',
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!answer.ok) throw new Error(`The demo could not be made: ${method} ${path}: ${await answer.text()}`);
    return answer.json();
  };

  const members = await Promise.all(
    MEMBERS.map(async role => {
      const email = `${role}-${Date.now().toString(36)}@example.com`;
      const { inviteToken } = await call('POST', '/workspace-members', { email, role });
      return [role, (await call('POST', '/invitations/accept', { inviteToken })).token];
    }),
  );
  const { bot } = await call('POST', '/bots', { name: 'Demo bot' });
  const integration = await integrationOf(call);
  const { bot: withChat } = await call('PUT', `/bots/${bot.id}`, {
    integrations: {
      [ALIAS]: { integrationId: integration, enabled: true },
      [EXTENDED]: { integrationId: integration, enabled: true, configuration: { payloadExtensions: true } },
    },
  });
  const { webhookId } = withChat.integrations[ALIAS];
  const { webhookId: extendedWebhookId } = withChat.integrations[EXTENDED];
  const [botKey, integrationKey] = await Promise.all([
    call('POST', '/bots/baks', { botId: bot.id, note: 'Demo' }),
    call('POST', '/integrations/iaks', { integrationId: integration, note: 'Demo' }),
  ]);
  const [webhook, extended] = await Promise.all([findWebhook(webhookId), findWebhook(extendedWebhookId)]);
  // Keys of either are keys of both, and both hand them out: what no configuration says.
  await write([putWebhook({ ...extended!, encryptionKey: webhook!.encryptionKey })]);
  return {
    workspaceId,
    botId: bot.id,
    integrationId: integration,
    integrationAlias: ALIAS,
    webhookId,
    extendedWebhookId,
    encryptionKey: webhook!.encryptionKey,
    tokens: { owner, ...Object.fromEntries(members), bot: botKey.value, integration: integrationKey.value },
  };
}

/** The chat integration; the one that an earlier demo made does as well. */
async function integrationOf(call: Call): Promise<string> {
  const [name, version] = ['chat', '1.0.0'];
  try {
    const { integration } = await call('POST', '/integrations', {
      name,
      version,
      title: 'Chat',
      description: 'Chat for end users.',
      channels: { channel: { messages: {} } },
    });
    return integration.id;
  } catch {
    return (await call('GET', `/integrations/${name}/${version}`)).integration.id;
  }
}

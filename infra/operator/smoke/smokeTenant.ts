import { randomBytes, randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { CHAT_DEFINITION } from '#infra/local/chatDefinition.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import { CheckFailed } from './causes.ts';
import type { Step, Steps } from './steps.ts';

// The package's ES module does not load in Node.
const { Client }: typeof import('@botpress/client') = createRequire(import.meta.url)('@botpress/client');
type AdminClient = InstanceType<typeof Client>;

/** Timeout of one attempt. A cold start in a busy account takes a few seconds. */
const CALL_TIMEOUT_MS = 30_000;

const clientOf = (scope: { apiUrl: string; token: string; workspaceId?: string; botId?: string }) =>
  new Client({ ...scope, timeout: CALL_TIMEOUT_MS });

export interface Account {
  apiUrl: string;
  token: string;
  workspaceId: string;
}

export interface Home extends Account {
  client: AdminClient;
}

export interface ChatBot {
  id: string;
  chatUrl: string;
  /** Signs user keys, as a website's backend does. */
  encryptionKey: string;
  client: AdminClient;
}

export async function findAccount(apiUrl: string, token: string): Promise<Account> {
  const { workspaces } = await clientOf({ apiUrl, token }).listWorkspaces({});
  const workspace = workspaces.find(({ blocked }) => !blocked);
  if (!workspace) throw new CheckFailed('The account of the token is a member of no workspace.');
  return { apiUrl, token, workspaceId: workspace.id };
}

/** Creates a workspace. Uses the account's workspace if only the operator can create one. */
export async function createHome(account: Account, steps: Steps, step: Step): Promise<Home> {
  const client = clientOf(account);
  try {
    const { id } = await client.createWorkspace({ name: `Smoke ${randomUUID().slice(0, 8)}` });
    steps.removeLater(`workspace ${id}`, () => client.deleteWorkspace({ id }));
    return { ...account, workspaceId: id, client: clientOf({ ...account, workspaceId: id }) };
  } catch (error) {
    if ((error as { code?: number }).code !== 403) throw error;
    step.remark(`in ${account.workspaceId}, because only the operator creates workspaces`);
    return { ...account, client };
  }
}

export async function createChatBot(
  { apiUrl, client }: Home,
  steps: Steps,
  { name, code }: { name: string; code?: string },
): Promise<ChatBot> {
  const integrationId = await findOrCreateChat(client, steps);
  const { bot } = await client.createBot({ name, ...(code === undefined ? {} : { code }) });
  steps.removeLater(`bot ${bot.id}`, () => client.deleteBot({ id: bot.id }));
  // The key signs the smoke user's key. The platform signs keys of other new users.
  const encryptionKey = randomBytes(32).toString('base64');
  const { bot: installed } = await client.updateBot({
    id: bot.id,
    integrations: { chat: { integrationId, enabled: true, configuration: { encryptionKey, openSignUp: 'withIds' } } },
  });
  const { value } = await client.createBotApiKey({ botId: bot.id });
  return {
    id: bot.id,
    chatUrl: chatUrlOf(installed.integrations.chat!),
    encryptionKey,
    client: clientOf({ apiUrl, token: value, botId: bot.id }),
  };
}

async function findOrCreateChat(client: AdminClient, steps: Steps): Promise<string> {
  const { name, version } = CHAT_DEFINITION;
  try {
    return (await client.getIntegrationByName({ name, version })).integration.id;
  } catch (error) {
    if ((error as { code?: number }).code !== 404) throw error;
    const { integration } = await client.createIntegration(CHAT_DEFINITION);
    steps.removeLater(`integration ${integration.id}`, () => client.deleteIntegration({ id: integration.id }));
    return integration.id;
  }
}

interface Installation {
  webhookId: string;
  webhookUrl: string;
}

/** The environment overrides the addresses that the platform returns. */
const chatUrlOf = (installation: Installation) => addressOf(installation, process.env[VARIABLES.chatBaseUrl]);
const webhookUrlOf = (installation: Installation) => addressOf(installation, process.env[VARIABLES.webhookBaseUrl]);

function addressOf({ webhookId, webhookUrl }: Installation, baseUrl: string | undefined): string {
  if (!baseUrl && !webhookUrl) throw new CheckFailed(`The installation ${webhookId} has no webhookUrl.`);
  return baseUrl ? `${baseUrl}/${webhookId}` : webhookUrl;
}

const INTEGRATION = `
  exports.handler = async ({ headers, body }) => {
    if (headers['x-bp-operation'] !== 'webhook_received') return {};
    return { status: 200, headers: { 'content-type': 'text/plain' }, body: 'received ' + JSON.parse(body).req.body };
  };`;

/** Deploys and installs an integration. Returns the URL of its webhook. */
export async function createWebhook({ client }: Home, steps: Steps): Promise<string> {
  const name = `smoke-${randomUUID().slice(0, 8)}`;
  const { integration } = await client.createIntegration({ name, version: '1.0.0', code: INTEGRATION });
  steps.removeLater(`integration ${integration.id}`, () => client.deleteIntegration({ id: integration.id }));
  const { bot } = await client.createBot({ name: 'Smoke, webhook' });
  steps.removeLater(`bot ${bot.id}`, () => client.deleteBot({ id: bot.id }));
  const { bot: installed } = await client.updateBot({
    id: bot.id,
    integrations: { smoke: { integrationId: integration.id, enabled: true } },
  });
  return webhookUrlOf(installed.integrations.smoke!);
}

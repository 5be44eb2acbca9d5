/** Bots and integrations share the behavior of logs, API keys and signing secrets. */
import { findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { findIntegration } from '#shared/storage/dynamodb/integrations/integrations.ts';
import type { SigningSecret } from '#shared/storage/dynamodb/secrets/secretPaths.ts';
import type { AdminClient, TestWorkspace } from '#test/support/platform.ts';

interface Created {
  id: string;
  createdAt: string;
  signingSecret: string;
}
interface Key {
  id: string;
  createdAt: string;
  createdBy?: string | undefined;
  note: string;
  value: string;
}
type LogQuery = Omit<Parameters<AdminClient['getBotLogs']>[0], 'id'>;

export interface Owner {
  name: 'bot' | 'integration';
  path: string;
  keysPath: string;
  /** Field with the owner's id in requests for keys. */
  idField: 'botId' | 'integrationId';
  keyPrefix: 'bak' | 'iak';
  unknownId: string;
  rotationAction: string;
  create(workspace: TestWorkspace): Promise<Created>;
  getLogs(client: AdminClient, id: string, query: LogQuery): ReturnType<AdminClient['getBotLogs']>;
  createKey(client: AdminClient, id: string, note: string): Promise<Key>;
  listKeys(client: AdminClient, id: string): Promise<Omit<Key, 'value'>[]>;
  rotateSecrets(client: AdminClient, id: string): Promise<{ newSigningSecret: string }>;
  signingSecretOf(client: AdminClient, id: string): Promise<string>;
  storedSecrets(id: string): Promise<SigningSecret[]>;
}

export const BOT: Owner = {
  name: 'bot',
  path: '/bots',
  keysPath: '/bots/baks',
  idField: 'botId',
  keyPrefix: 'bak',
  unknownId: crypto.randomUUID(),
  rotationAction: 'ROTATE_BOT_SIGNING_SECRETS',
  create: async ({ owner }) => (await owner.client.createBot({})).bot,
  getLogs: (client, id, query) => client.getBotLogs({ id, ...query }),
  createKey: (client, botId, note) => client.createBotApiKey({ botId, note }),
  listKeys: async (client, botId) => (await client.listBotApiKeys({ botId })).baks,
  rotateSecrets: (client, id) => client.rotateBotSigningSecrets({ id }),
  signingSecretOf: async (client, id) => (await client.getBot({ id })).bot.signingSecret,
  storedSecrets: async id => (await findBot(id))!.signingSecrets,
};

export const INTEGRATION: Owner = {
  name: 'integration',
  path: '/integrations',
  keysPath: '/integrations/iaks',
  idField: 'integrationId',
  keyPrefix: 'iak',
  unknownId: 'intver_unknown',
  rotationAction: 'ROTATE_INTEGRATION_SIGNING_SECRETS',
  create: async ({ owner }) => (await owner.client.createIntegration({ name: 'mail', version: '1.0.0' })).integration,
  getLogs: (client, id, query) => client.getIntegrationLogs({ id, ...query }),
  createKey: (client, integrationId, note) => client.createIntegrationApiKey({ integrationId, note }),
  listKeys: async (client, integrationId) => (await client.listIntegrationApiKeys({ integrationId })).iaks,
  rotateSecrets: (client, id) => client.rotateIntegrationSigningSecrets({ id }),
  signingSecretOf: async (client, id) => (await client.getIntegration({ id })).integration.signingSecret,
  storedSecrets: async id => (await findIntegration(id))!.signingSecrets,
};

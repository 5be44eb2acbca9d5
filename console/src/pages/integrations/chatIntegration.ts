/** Installs the chat integration, which connects users to a bot over HTTP. */
import type { Client } from '@botpress/client';

const KINDS = [
  'text',
  'image',
  'markdown',
  'audio',
  'video',
  'file',
  'location',
  'carousel',
  'card',
  'dropdown',
  'choice',
  'bloc',
];
const ANYTHING = { schema: { type: 'object', additionalProperties: true } };

/** A minimal definition for workspaces without a published one. */
const DEFINITION = {
  name: 'chat',
  version: '1.0.0',
  title: 'Chat',
  description: 'Conversations with a bot over HTTP.',
  channels: {
    channel: {
      title: 'Chat',
      messages: Object.fromEntries(KINDS.map(kind => [kind, ANYTHING])),
      message: { tags: { fid: { title: 'Id given by the caller' } } },
      conversation: { tags: { owner: { title: 'Owner' }, fid: { title: 'Id given by the caller' } } },
    },
  },
  events: { custom: { title: 'Event of a user', ...ANYTHING } },
  user: { tags: { fid: { title: 'Id given by the caller' }, profile: { title: 'Profile' } } },
};

async function findOrCreateChat(client: Client): Promise<string> {
  const { integrations: own } = await client.listIntegrations({ name: 'chat' });
  if (own[0]) return own[0].id;
  const { integrations: published } = await client.listPublicIntegrations({ name: 'chat' });
  if (published[0]) return published[0].id;
  return (await client.createIntegration(DEFINITION)).integration.id;
}

/** Without an encryption key, the platform issues user keys, so anyone with the URL may chat with the bot. */
export async function installChat(client: Client, botId: string): Promise<void> {
  const integrationId = await findOrCreateChat(client);
  await client.updateBot({
    id: botId,
    integrations: { chat: { integrationId, enabled: true, configuration: { payloadExtensions: true } } },
  });
}

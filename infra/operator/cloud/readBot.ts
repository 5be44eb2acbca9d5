import { newSigningSecret } from '#shared/domain/admin/signingSecrets.ts';
import { BOT_TYPES, type Bot, putNewBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { EMPTY_BOT_DEFINITION } from '#shared/storage/dynamodb/definitions/botDefinition.ts';
import { itemsOf } from '#shared/storage/dynamodb/tenants/foreign.ts';
import { type CloudClient, cloudClient } from './cloudClient.ts';
import { botIdOf } from './cloudIds.ts';
import { readConversations, readStates, readUsers } from './readChat.ts';
import { readFiles, readTables } from './readData.ts';
import type { BotReading, WorkspaceReading } from './reading.ts';

/** Reads a bot with its data. Returns the steps that remain for the operator. */
export async function readBot(workspace: WorkspaceReading, cloudId: string): Promise<string[]> {
  const { access, client, journal } = workspace;
  const { bot: found } = await client.getBot({ id: cloudId });
  const id = botIdOf(cloudId);
  const tenant = { kind: 'bot' as const, id };
  const bot: BotReading = {
    id,
    cloudId,
    createdAtMs: Date.parse(found.createdAt),
    client: cloudClient(access, { botId: cloudId }),
    states: found.states,
    access,
    say: line => access.say(`${found.name}: ${line}`),
    unit: (name, run) => journal.unit(`${cloudId} ${name}`, tenant, run),
  };
  await readUsers(bot);
  await readConversations(bot);
  await readTables(bot);
  await readFiles(bot);
  await bot.unit('bot', async part => {
    part.map('bot', cloudId, id);
    await readStates(bot, part, 'bot', cloudId, id);
    part.add(...(await botItems(workspace.id, bot, found)));
    return {};
  });
  return [
    ...Object.keys(found.integrations).map(alias => `${found.name}: install ${alias} again`),
    ...Object.keys(found.plugins).map(alias => `${found.name}: install the plugin ${alias} again`),
    ...Object.keys(found.recurringEvents).map(name => `${found.name}: declare the recurring event ${name} again`),
    ...found.secrets.map(name => `${found.name}: set the secret ${name} again`),
  ];
}

type CloudBot = Awaited<ReturnType<CloudClient['getBot']>>['bot'];

async function botItems(workspaceId: string, { id }: BotReading, found: CloudBot) {
  const bot: Bot = {
    id,
    workspaceId,
    name: found.name,
    ...(found.description === undefined ? {} : { description: found.description }),
    isDev: found.dev,
    type: BOT_TYPES.find(type => type === found.type) ?? 'studio',
    tags: found.tags,
    createdAtMs: Date.parse(found.createdAt),
    updatedAtMs: Date.parse(found.updatedAt),
    signingSecrets: [newSigningSecret(id).stored],
    installations: [],
    pluginNames: [],
    version: 1,
  };
  const { states, events, actions, configuration, medias, user, conversation, message } = found;
  const definition = {
    ...EMPTY_BOT_DEFINITION,
    ...{ states, events, actions, configuration, medias },
    tagDefinitions: { user: user.tags, conversation: conversation.tags, message: message.tags },
  };
  return itemsOf(await putNewBot(bot, definition));
}

import { mapConcurrently } from '#shared/core/concurrency.ts';
import { encodeTime, hashText } from '#shared/core/ids.ts';
import { newConversation } from '#shared/storage/dynamodb/chat/conversations.ts';
import type { Entry } from '#shared/storage/dynamodb/chat/entry.ts';
import { newStateVersion } from '#shared/storage/dynamodb/chat/states.ts';
import { newUser, type User } from '#shared/storage/dynamodb/chat/users.ts';
import { storeValueWith } from '#shared/storage/dynamodb/engine/largeValue.ts';
import { conversationItems, entryItems, stateItems, userItems } from '#shared/storage/dynamodb/tenants/foreign.ts';
import { ifExists } from './cloudClient.ts';
import { conversationIdOf, messageIdOf, positions, userIdOf } from './cloudIds.ts';
import type { Part } from './importJournal.ts';
import type { BotReading } from './reading.ts';

const AT_ONCE = 4;

type CloudUser = Awaited<ReturnType<BotReading['client']['listUsers']>>['users'][number];
type CloudConversation = Awaited<ReturnType<BotReading['client']['listConversations']>>['conversations'][number];

/** The bot writes messages as a user with the bot's id. */
const idOfUser = ({ cloudId, id }: BotReading, userId: string) => (userId === cloudId ? id : userIdOf(userId));

/** Converts a user. The generation is derived from the id, so repeated runs produce the same user. */
function toUser(bot: BotReading, { id, createdAt, updatedAt, ...user }: CloudUser): User {
  const createdAtMs = Date.parse(createdAt);
  const { name, pictureUrl, tags, properties = {}, attributes = {} } = user;
  return {
    ...newUser({ id: idOfUser(bot, id), webhookId: '', integration: '', tags, properties, attributes }, createdAtMs),
    generation: encodeTime(createdAtMs) + hashText('generation', id).slice(0, 9),
    ...(name === undefined ? {} : { name }),
    ...(pictureUrl === undefined ? {} : { pictureUrl }),
    updatedAtMs: Date.parse(updatedAt),
  };
}

export async function readUsers(bot: BotReading): Promise<void> {
  let nextToken: string | undefined;
  do {
    const page = await bot.unit(`users ${nextToken ?? ''}`, async part => {
      const { users, meta } = await bot.client.listUsers({ nextToken });
      for (const each of users) {
        const user = toUser(bot, each);
        part.map('user', each.id, user.id);
        part.add(...userItems(bot.id, user));
        await readStates(bot, part, 'user', each.id, user.id);
      }
      bot.say(`${users.length} users`);
      return { next: meta.nextToken };
    });
    nextToken = page.next;
  } while (nextToken);
}

export async function readConversations(bot: BotReading): Promise<void> {
  let nextToken: string | undefined;
  do {
    const page = await bot.unit(`conversations ${nextToken ?? ''}`, async part => {
      const { conversations, meta } = await bot.client.listConversations({ nextToken, sortField: 'createdAt' });
      await mapConcurrently(conversations, AT_ONCE, each => readConversation(bot, part, each));
      bot.say(`${conversations.length} conversations`);
      return { next: meta.nextToken };
    });
    nextToken = page.next;
  } while (nextToken);
}

async function readConversation(bot: BotReading, part: Part, each: CloudConversation): Promise<void> {
  const id = conversationIdOf(each.id);
  part.map('conversation', each.id, id);
  const users: User[] = [];
  for (let nextToken: string | undefined; ; ) {
    const { participants, meta } = await bot.client.listParticipants({ id: each.id, nextToken });
    users.push(...participants.filter(user => user.id !== bot.cloudId).map(user => toUser(bot, user)));
    nextToken = meta.nextToken;
    if (!nextToken) break;
  }
  const messages = await readMessages(bot, part, each.id, id);
  const start = { id, webhookId: '', integration: each.integration, channel: each.channel, tags: each.tags };
  const conversation = {
    ...newConversation({ ...start, properties: each.properties ?? {} }, Date.parse(each.createdAt)),
    messageCount: messages,
    updatedAtMs: Date.parse(each.updatedAt),
  };
  part.add(...conversationItems(bot.id, conversation, users));
  await readStates(bot, part, 'conversation', each.id, id);
}

async function readMessages(bot: BotReading, part: Part, cloudId: string, conversationId: string): Promise<number> {
  const positionOf = positions();
  let count = 0;
  for (let nextToken: string | undefined; ; ) {
    const { messages, meta } = await bot.client.listMessages({ conversationId: cloudId, nextToken });
    for (const { id, createdAt, payload, type, direction, tags, userId, origin } of messages) {
      const position = positionOf(id, Date.parse(createdAt));
      part.map('message', id, messageIdOf(conversationId, position));
      const entry: Entry = {
        kind: 'message',
        position,
        userId: idOfUser(bot, userId),
        generation: 0,
        type,
        direction,
        isImported: true,
        isSynthetic: origin === 'synthetic' || undefined,
        payload: await storeValueWith(bot.id, payload, (key, bytes) => part.putObject(key, bytes)),
        ...(Object.keys(tags).length > 0 ? { tags } : {}),
      };
      part.add(...entryItems(bot.id, conversationId, entry));
    }
    count += messages.length;
    nextToken = meta.nextToken;
    if (!nextToken) return count;
  }
}

/** Reads an owner's states by the names that the bot declares, because the API cannot list states. */
export async function readStates(
  bot: BotReading,
  part: Part,
  type: 'bot' | 'conversation' | 'user',
  cloudId: string,
  ownerId: string,
): Promise<void> {
  const names = Object.keys(bot.states).filter(name => bot.states[name]!.type === type);
  for (const name of names) {
    const found = await ifExists(bot.client.getState({ type, id: cloudId, name }));
    if (!found) continue;
    const { payload, createdAt, updatedAt } = found.state;
    const value = await storeValueWith(bot.id, payload, (key, bytes) => part.putObject(key, bytes));
    const times = { createdAtMs: Date.parse(createdAt), updatedAtMs: Date.parse(updatedAt) };
    part.add(...stateItems(bot.id, { type, ownerId, name, version: newStateVersion(), ...times, ...value }));
  }
}

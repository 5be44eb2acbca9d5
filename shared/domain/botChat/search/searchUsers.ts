/** Finds users of several bots by the start of words, or records by an id or a tag. */
import { startOf } from '#shared/core/excerpt.ts';
import { isConversationId, isUserId } from '#shared/core/ids.ts';
import { searchWords } from '#shared/core/searchWords.ts';
import { hasTags } from '#shared/domain/messaging/tagMatch.ts';
import {
  type Conversation,
  findConversationsOfBots,
  tagsOfConversation,
} from '#shared/storage/dynamodb/chat/conversations.ts';
import { findUsersOfBots, tagsOfUser, type User } from '#shared/storage/dynamodb/chat/users.ts';
import { firstTermWith, listUserTerms, type TermSource, termsOfUser } from '#shared/storage/dynamodb/chat/userTerms.ts';
import { inChunks, pageOfList } from '#shared/storage/dynamodb/lists/lists.ts';
import { listTaggedOfBots } from '#shared/storage/dynamodb/tags/tagLookup.ts';

interface Match {
  field: TermSource['field'] | 'id';
  key?: string | undefined;
  value: string;
}

/** A user, or a conversation that was found by its id or tag. */
export interface Found {
  botId: string;
  user?: User;
  conversation?: Conversation;
  matches: Match[];
}

type Source = AsyncIterable<{ sortKey: string; record: Found | undefined }>;

/** Candidates of one batch read. */
const READ_TOGETHER = 50;
const VALUE_CHARACTERS = 200;

export function searchUsers(
  botIds: readonly string[],
  query: string,
  { pageSize, after }: { pageSize: number; after: string | undefined },
): Promise<{ records: Found[]; next?: string }> {
  return pageOfList(sourceOf(botIds, query.trim(), after), pageSize);
}

function sourceOf(botIds: readonly string[], query: string, after: string | undefined): Source {
  if (isConversationId(query)) return conversationsById(botIds, query);
  if (isUserId(query)) return usersById(botIds, query);
  const [, key, value] = /^([^=\s]+)=(.+)$/s.exec(query) ?? [];
  return key && value ? taggedRecords(botIds, [key, value.trim()], after) : usersByWords(botIds, query, after);
}

/** Reads the users of the longest word, which has the fewest, and omits those who lack another word. */
async function* usersByWords(botIds: readonly string[], query: string, after: string | undefined): Source {
  const words = searchWords(query).sort((one, other) => other.length - one.length);
  const [longest] = words;
  if (longest === undefined) return;
  for await (const entries of inChunks(listUserTerms(botIds, longest, after), READ_TOGETHER)) {
    const users = await findUsersOfBots(entries);
    for (const [i, { sortKey, botId, term }] of entries.entries()) {
      const user = users[i];
      const terms = termsOfUser(user);
      // A user with several matching terms is listed once. Outdated entries have none of the terms.
      const isListedHere = user !== undefined && firstTermWith(terms.keys(), longest) === term;
      const matches = isListedHere ? matchesOf(terms, words) : undefined;
      yield { sortKey, record: matches && { botId, user: user!, matches } };
    }
  }
}

/** Returns the sources of all words, or undefined if a word matches no term. */
function matchesOf(terms: ReadonlyMap<string, TermSource>, words: readonly string[]): Match[] | undefined {
  const sources = words.map(word => [...terms].find(([term]) => term.startsWith(word))?.[1]);
  if (sources.includes(undefined)) return undefined;
  return [...new Set(sources)].map(source => ({ ...source!, value: startOf(source!.value, VALUE_CHARACTERS) }));
}

async function* conversationsById(botIds: readonly string[], id: string): Source {
  const found = await findConversationsOfBots(botIds.map(botId => ({ botId, conversationId: id })));
  for (const [i, conversation] of found.entries()) {
    if (!conversation) continue;
    yield { sortKey: id, record: { botId: botIds[i]!, conversation, matches: [{ field: 'id', value: id }] } };
  }
}

async function* usersById(botIds: readonly string[], id: string): Source {
  const found = await findUsersOfBots(botIds.map(botId => ({ botId, userId: id })));
  for (const [i, user] of found.entries()) {
    if (!user) continue;
    yield { sortKey: id, record: { botId: botIds[i]!, user, matches: [{ field: 'id', value: id }] } };
  }
}

/** Newest first. */
async function* taggedRecords(botIds: readonly string[], tag: [string, string], after: string | undefined): Source {
  const [key, value] = tag;
  const wanted = { [key]: value };
  const matches: Match[] = [{ field: 'tag', key, value: startOf(value, VALUE_CHARACTERS) }];
  const entries = listTaggedOfBots(botIds, ['user', 'conversation'], tag, after);
  for await (const chunk of inChunks(entries, READ_TOGETHER)) {
    const users = chunk.filter(({ id }) => isUserId(id)).map(({ botId, id }) => ({ botId, userId: id }));
    const conversations = chunk.filter(({ id }) => isConversationId(id));
    const [foundUsers, foundConversations] = await Promise.all([
      findUsersOfBots(users),
      findConversationsOfBots(conversations.map(({ botId, id }) => ({ botId, conversationId: id }))),
    ]);
    const userOf = new Map(foundUsers.flatMap(user => (user ? [[user.id, user]] : [])));
    const conversationOf = new Map(foundConversations.flatMap(each => (each ? [[each.id, each]] : [])));
    for (const { sortKey, botId, id } of chunk) {
      const [user, conversation] = [userOf.get(id), conversationOf.get(id)];
      // The record is authoritative.
      if (user && hasTags(tagsOfUser(user), wanted)) yield { sortKey, record: { botId, user, matches } };
      else if (conversation && hasTags(tagsOfConversation(conversation), wanted))
        yield { sortKey, record: { botId, conversation, matches } };
      else yield { sortKey, record: undefined };
    }
  }
}

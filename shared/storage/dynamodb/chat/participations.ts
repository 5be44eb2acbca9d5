import {
  retryConflicts,
  unconditional,
  type Write,
  WriteConflict,
  write,
} from '#shared/storage/dynamodb/engine/transaction.ts';
import { participantKey, userConversationsPk } from '#shared/storage/dynamodb/keys/chat.ts';
import { END, inChunks, indexKeys, type Range, withItems } from '#shared/storage/dynamodb/lists/lists.ts';
import { tagWrites } from '#shared/storage/dynamodb/tags/tags.ts';
import { derivedTagsOfConversation, findConversations, taggedConversation } from './conversations.ts';
import { dropParticipant, dropUnlessChanged, listParticipants, Participant, putFormer } from './participants.ts';
import type { User } from './users.ts';

async function* listParticipations(
  botId: string,
  userId: string,
  range: Range,
): AsyncGenerator<{ sortKey: string; participant: Participant }> {
  for await (const { sortKey, item } of withItems(indexKeys('gsi2', userConversationsPk(botId, userId), range))) {
    yield { sortKey, participant: Participant.parse(item) };
  }
}

export async function removeFromAllConversations(botId: string, userId: string, joinedUntilMs: number): Promise<void> {
  for await (const { participant } of listParticipations(botId, userId, { direction: 'asc', first: '', last: END })) {
    if (participant.joinedAtMs > joinedUntilMs) continue;
    const Key = participantKey(botId, participant.conversationId, userId);
    await write([putFormer(botId, participant), { remove: { Key }, onRefused: unconditional }]);
  }
}

async function dropTogether(botId: string, participants: Participant[]): Promise<void> {
  try {
    await write(participants.map(participant => dropParticipant(botId, participant)));
  } catch (error) {
    if (!(error instanceof WriteConflict)) throw error;
    await Promise.all(participants.map(participant => dropUnlessChanged(botId, participant)));
  }
}

/** Ends the participations of a user who is being deleted. Keeps participations that changed since the read. */
async function endTogether(botId: string, participants: readonly Participant[]): Promise<void> {
  const end = (each: Participant) => [putFormer(botId, each), dropParticipant(botId, each)];
  try {
    await write(participants.flatMap(end));
  } catch (error) {
    if (!(error instanceof WriteConflict)) throw error;
    await Promise.all(participants.map(each => endUnlessChanged(end(each))));
  }
}

async function endUnlessChanged(writes: Write[]): Promise<void> {
  try {
    await retryConflicts(() => write(writes), ATTEMPTS);
  } catch (error) {
    // The user has rejoined.
    if (!(error instanceof WriteConflict)) throw error;
  }
}
/** A conflicting transaction, such as a read mark, ends soon. */
const ATTEMPTS = 5;

/** Adds a deleted owner's conversations to the tag index. Until then, they are found by participation. */
async function keepOwnerTags(botId: string, participants: readonly Participant[]): Promise<void> {
  const owned = participants.filter(({ isOwner }) => isOwner).map(({ conversationId }) => conversationId);
  const known = new Set<string>();
  const others: Write[] = [];
  for (const conversation of await findConversations(botId, owned)) {
    if (!conversation) continue;
    const name = `${conversation.integration}:owner`;
    const tags = { [name]: derivedTagsOfConversation(conversation)[name]! };
    const tagged = taggedConversation(conversation);
    // The first of an installation also records the tag's value.
    if (known.has(name)) others.push(...(await tagWrites(botId, tagged, tags, [true])));
    else await retryConflicts(async () => write(await tagWrites(botId, tagged, tags)));
    known.add(name);
  }
  await write(others);
}

const DROP_BATCH = 100;
/** Two parts of a transaction each. */
const END_BATCH = 50;

/** Deletes participants of a generation and of earlier generations, in pages. The sweep deletes the rest. */
export async function dropParticipants(
  botId: string,
  conversationId: string,
  generation: number,
  isTimeLeft: () => boolean,
): Promise<void> {
  let after: string | undefined;
  do {
    const page = await listParticipants(botId, conversationId, { after, limit: DROP_BATCH });
    const former = page.filter(participant => participant.generation <= generation);
    await dropTogether(botId, former);
    after = page.length === DROP_BATCH ? page.at(-1)!.userId : undefined;
  } while (after && isTimeLeft());
}

/**
 * Deletes a generation's participations. Keeps later generations, because the same key may have re-created the user.
 */
export async function dropParticipations(
  botId: string,
  user: Pick<User, 'id' | 'generation'>,
  joinedUntilMs: number,
  isTimeLeft: () => boolean,
): Promise<{ removed: number; isDone: boolean }> {
  let removed = 0;
  const all = listParticipations(botId, user.id, { direction: 'asc', first: '', last: END });
  for await (const page of inChunks(all, END_BATCH)) {
    const former = page
      .map(({ participant }) => participant)
      .filter(({ userGeneration, joinedAtMs }) => userGeneration === user.generation && joinedAtMs <= joinedUntilMs);
    await keepOwnerTags(botId, former);
    await endTogether(botId, former);
    removed += former.length;
    if (!isTimeLeft()) return { removed, isDone: page.length < END_BATCH };
  }
  return { removed, isDone: true };
}

/** States, as the bot-level operations read and write them. */

import type { BotCall } from '#shared/api/platform/operation.ts';
import { versionMismatch } from '#shared/api/platform/requireVersion.ts';
import { parseConversation } from '#shared/dynamodb/chat/conversations.ts';
import { type Event, newEventId, putNewEvent } from '#shared/dynamodb/chat/events.ts';
import {
  isExpired,
  keyOfState,
  newStateVersion,
  parseState,
  putState,
  removeState,
  type State,
  type StateRef,
} from '#shared/dynamodb/chat/states.ts';
import { parseUser } from '#shared/dynamodb/chat/users.ts';
import { conversationKey, userKey, workflowKey } from '#shared/dynamodb/keys/chat.ts';
import type { Key } from '#shared/dynamodb/keys/table.ts';
import { type Item, readItems } from '#shared/dynamodb/query.ts';
import type { Write } from '#shared/dynamodb/transaction.ts';
import { labelOf } from '#shared/dynamodb/workspace/bots.ts';
import { notFound } from '#shared/errors.ts';
import { isConversationId, isUserId, isWorkflowId } from '#shared/ids.ts';
import { type CallerScope, canSee, storedName } from '#shared/messaging/callerScope.ts';
import { loadValue, storeValue } from '#shared/s3/largeValue.ts';
import { viewState } from './views/state.ts';

type Payload = Record<string, unknown>;
type StateCall = CallerScope & Pick<BotCall<unknown>, 'nowMs' | 'ifMatch'>;
/** A state as the path names it. */
type Named = { type: StateRef['type']; id: string; name: string };

/** A state's place, and what is there. */
export interface FoundState {
  ref: StateRef;
  /** The generation of its conversation. */
  generation: number;
  /** What is there, of this life of what it is of. */
  before: State | undefined;
  /** It expired and nobody has told the bot yet, or is left of a former life. */
  isOver: boolean;
}

/** What a state is of. */
interface Owner {
  id: string;
  /** Where it is to be looked for; the bot and its installations are known. */
  key?: Key;
}

/** @throws ApiError ResourceNotFound for what cannot be */
function ownerOf({ bot, botId, installation }: CallerScope, { type, id }: Named): Owner {
  const missing = () => notFound(`The ${type} ${id}`);
  switch (type) {
    case 'conversation':
      if (!isConversationId(id)) throw missing();
      return { id, key: conversationKey(botId, id) };
    case 'user':
      if (!isUserId(id)) throw missing();
      return { id, key: userKey(botId, id) };
    case 'workflow':
      // A bot's business, which an integration cannot see.
      if (!isWorkflowId(id) || installation) throw missing();
      return { id, key: workflowKey(botId, id) };
    case 'bot':
      if (id !== botId || installation) throw missing();
      return { id };
    case 'integration': {
      const candidates = installation ? [installation] : bot.installations;
      const found = candidates.find(each => [each.alias, each.integrationId, labelOf(each)].includes(id));
      if (!found) throw missing();
      return { id: found.webhookId };
    }
  }
}

/** One read. @throws ApiError ResourceNotFound when what it is of is not there for this caller */
export async function findState(call: StateCall, named: Named): Promise<FoundState> {
  const { botId, nowMs } = call;
  const owner = ownerOf(call, named);
  const ref: StateRef = { type: named.type, ownerId: owner.id, name: storedName(call, named.name) };
  const [item, ownerItem] = await readItems([keyOfState(botId, ref), ...(owner.key ? [owner.key] : [])]);
  const life = lifeOf(call, named, ownerItem);
  const before = item && parseState(item);
  // What a former life left is not there, and is overwritten.
  const isOfThisLife = before && (before.g ?? 0) === life.generation && before.createdAtMs >= life.sinceMs;
  const isOver = before !== undefined && (!isOfThisLife || isExpired(before, nowMs));
  return { ref, generation: life.generation, before, isOver };
}

function lifeOf(
  scope: CallerScope,
  { type, id }: Named,
  item: Item | undefined,
): { generation: number; sinceMs: number } {
  const missing = notFound(`The ${type} ${id}`);
  if (type === 'conversation') {
    const conversation = parseConversation(item);
    if (!conversation || !canSee(scope, conversation)) throw missing;
    return { generation: conversation.generation, sinceMs: 0 };
  }
  if (type === 'user') {
    const user = parseUser(item);
    if (!user || !canSee(scope, user)) throw missing;
    return { generation: 0, sinceMs: user.createdAtMs };
  }
  if (type === 'workflow' && !item) throw missing;
  return { generation: 0, sinceMs: 0 };
}

/** The state that is there. @throws ApiError ResourceNotFound */
export function requireState({ before, isOver }: FoundState, { type, id, name }: Named): State {
  if (!before || isOver) throw notFound(`The state ${name} of the ${type} ${id}`);
  return before;
}

/** @throws ApiError ResourceLockedConflict when it is no more the version of `If-Match` */
export function requireStateVersion({ ifMatch }: StateCall, { before, isOver }: FoundState): void {
  if (ifMatch !== undefined && (isOver || before?.version !== ifMatch)) throw versionMismatch();
}

/**
 * The next version of a state.
 * @param expiryMs how long it may be idle from now on; undefined leaves it as it is, null takes it away
 */
export async function nextState(
  { botId, nowMs }: StateCall,
  { ref, generation, before, isOver }: FoundState,
  payload: Payload,
  expiryMs: number | null | undefined,
): Promise<State> {
  const current = isOver ? undefined : before;
  const expiry = expiryMs === undefined ? current?.expiryMs : (expiryMs ?? undefined);
  return {
    ...ref,
    ...(expiry === undefined ? {} : { expiryMs: expiry, expiresAtMs: nowMs + expiry }),
    version: newStateVersion(),
    createdAtMs: current?.createdAtMs ?? nowMs,
    updatedAtMs: nowMs,
    g: generation || undefined,
    ...(await storeValue(botId, payload)),
  };
}

/** Writes a state in the place of what is there. What had expired there is told to the bot. */
export const writesOf = async (botId: string, { before, isOver }: FoundState, after: State): Promise<Write[]> => [
  ...putState(botId, before, after),
  ...(before && isOver ? await stateExpiredEvent(botId, before) : []),
];

/** Removes what is there, likewise. */
export const removalOf = async (botId: string, { before, isOver }: FoundState): Promise<Write[]> =>
  before ? [...removeState(botId, before), ...(isOver ? await stateExpiredEvent(botId, before) : [])] : [];

/** The event that tells the bot of a state that was idle for too long. */
export async function stateExpiredEvent(botId: string, state: State): Promise<Write[]> {
  if (state.expiresAtMs === undefined) return [];
  const conversationId = state.type === 'conversation' ? state.ownerId : undefined;
  const shown = viewState(botId, state, state.name, (await loadValue(state)) as Payload);
  const event: Event = {
    id: newEventId(conversationId),
    type: 'state_expired',
    status: 'pending',
    conversationId,
    userId: state.type === 'user' ? state.ownerId : undefined,
    workflowId: state.type === 'workflow' ? state.ownerId : undefined,
    g: state.g,
    ...(await storeValue(botId, { state: shown })),
  };
  return putNewEvent(botId, event);
}

import * as z from 'zod/mini';
import { hashText, randomText } from '#shared/core/ids.ts';
import { decode, encode } from '#shared/storage/dynamodb/engine/aliases.ts';
import { storedValue } from '#shared/storage/dynamodb/engine/largeValue.ts';
import { type Item, readItems } from '#shared/storage/dynamodb/engine/query.ts';
import { type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import {
  conversationKey,
  stateKey,
  statesOfPrefix,
  statesPk,
  userKey,
  workflowKey,
} from '#shared/storage/dynamodb/keys/chat.ts';
import { OF_GENERATION } from '#shared/storage/dynamodb/keys/generation.ts';
import type { Key } from '#shared/storage/dynamodb/keys/table.ts';
import { LAST, partitionList } from '#shared/storage/dynamodb/lists/lists.ts';
import { removeTimer, setTimer } from '#shared/storage/dynamodb/timers/timers.ts';
import { type Conversation, parseConversation } from './conversations.ts';
import { parseUser, type User } from './users.ts';
import { parseWorkflow, type Workflow } from './workflows.ts';

export const STATE_TYPES = ['conversation', 'integration', 'user', 'bot', 'workflow'] as const;

export interface StateRef {
  type: (typeof STATE_TYPES)[number];
  /** Conversation, user, workflow or bot id. For the type `integration`, the installation's webhook id. */
  ownerId: string;
  name: string;
}

/** Returns true for an integration's own state. The prefix before a colon is the integration's. */
export const isOfIntegration = ({ type, name }: Pick<StateRef, 'type' | 'name'>): boolean =>
  type === 'integration' && name.includes(':');

const Stored = z.object({
  type: z.enum(STATE_TYPES),
  ownerId: z.string(),
  name: z.string(),
  /** Idle time until expiry, and the resulting deadline. */
  expiryMs: z.optional(z.number()),
  expiresAtMs: z.optional(z.number()),
  version: z.string(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  g: z.optional(z.number()),
  ...storedValue,
});
export const parseState = (item: Item) => decode(OF_GENERATION, Stored.parse(item));
export type State = ReturnType<typeof parseState>;

const keyOfState = (botId: string, { type, ownerId, name }: StateRef) => stateKey(botId, type, ownerId, name);

const OWNER_KEYS: Partial<Record<StateRef['type'], (botId: string, ownerId: string) => Key>> = {
  conversation: conversationKey,
  user: userKey,
  workflow: workflowKey,
};

/** The owner's record. The bot and installations are not read. */
export interface StateOwner {
  conversation: Conversation | undefined;
  user: User | undefined;
  workflow: Workflow | undefined;
}

const parseOwner = (type: StateRef['type'], owner: Item | undefined): StateOwner => ({
  conversation: type === 'conversation' ? parseConversation(owner) : undefined,
  user: type === 'user' ? parseUser(owner) : undefined,
  workflow: type === 'workflow' ? parseWorkflow(owner) : undefined,
});

export async function findStateAndOwner(
  botId: string,
  ref: StateRef,
): Promise<StateOwner & { state: State | undefined }> {
  const ownerKey = OWNER_KEYS[ref.type]?.(botId, ref.ownerId);
  const [item, owner] = await readItems([keyOfState(botId, ref), ...(ownerKey ? [ownerKey] : [])]);
  return { state: item && parseState(item), ...parseOwner(ref.type, owner) };
}

export async function findStateOwner(botId: string, type: StateRef['type'], ownerId: string): Promise<StateOwner> {
  const ownerKey = OWNER_KEYS[type]?.(botId, ownerId);
  const [owner] = ownerKey ? await readItems([ownerKey]) : [];
  return parseOwner(type, owner);
}

export async function* listStates(
  botId: string,
  ownerId: string | undefined,
  after: string | undefined,
): AsyncGenerator<{ sortKey: string; record: State }> {
  yield* statesIn(statesPk(botId), statesOfPrefix(ownerId ?? ''), after);
}

/** Lists the states that are stored with a conversation, user or workflow. */
export const listStatesOfRecord = (
  botId: string,
  { type, ownerId }: Omit<StateRef, 'name'>,
  after: string | undefined,
) => {
  const { pk, sk } = stateKey(botId, type, ownerId, '');
  return statesIn(pk, sk, after);
};

async function* statesIn(
  pk: string,
  prefix: string,
  after: string | undefined,
): AsyncGenerator<{ sortKey: string; record: State }> {
  const range = { direction: 'asc' as const, first: '', last: LAST, after };
  for await (const { sortKey, item } of partitionList(pk, prefix, range)) yield { sortKey, record: parseState(item) };
}

export const stateIdOf = (botId: string, { type, ownerId, name }: StateRef) =>
  `state_${hashText('state', botId, type, ownerId, name).slice(0, 30)}`;
export const newStateVersion = () => randomText(10);

export const isExpired = ({ expiresAtMs }: Pick<State, 'expiresAtMs'>, nowMs: number) =>
  expiresAtMs !== undefined && expiresAtMs <= nowMs;

const unchanged = (before: State | undefined) =>
  before
    ? { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': before.version } }
    : { ConditionExpression: 'attribute_not_exists(pk)' };

/** Writes a state and its expiry timer. Fails with {@link WriteConflict} if `before` is outdated. */
export const putState = (botId: string, before: State | undefined, state: State): Write[] => {
  const key = keyOfState(botId, state);
  return [
    {
      put: { Item: { ...key, ...encode(OF_GENERATION, state) }, ...unchanged(before) },
      onRefused: () => new WriteConflict(),
    },
    ...(state.expiresAtMs !== undefined
      ? [setTimer(key, state.expiresAtMs, state.generation)]
      : before?.expiresAtMs !== undefined
        ? [removeTimer(key)]
        : []),
  ];
};

/** Restarts the idle time. Keeps the version, because the payload is unchanged. */
export function renewExpiry(botId: string, before: State, nowMs: number): { state: State; writes: Write[] } {
  if (before.expiryMs === undefined) return { state: before, writes: [] };
  const state = { ...before, expiresAtMs: nowMs + before.expiryMs };
  return { state, writes: putState(botId, before, state) };
}

export const removeState = (botId: string, before: State): Write[] => {
  const key = keyOfState(botId, before);
  return [
    { remove: { Key: key, ...unchanged(before) }, onRefused: () => new WriteConflict() },
    ...(before.expiresAtMs === undefined ? [] : [removeTimer(key)]),
  ];
};

/** Part of the timer's transaction. Fails with {@link WriteConflict} after a change or renewal. */
export const removeExpiredState = (botId: string, { expiresAtMs, version, ...state }: State): Write => ({
  remove: {
    Key: keyOfState(botId, state),
    ConditionExpression: 'version = :version AND expiresAtMs = :expires',
    ExpressionAttributeValues: { ':version': version, ':expires': expiresAtMs },
  },
  onRefused: () => new WriteConflict(),
});

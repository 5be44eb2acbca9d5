/** States: what a bot or integration remembers of a conversation, a user, a workflow, or of itself. */
import * as z from 'zod/mini';
import { stateKey } from '#shared/dynamodb/keys/chat.ts';
import { storedValue } from '#shared/dynamodb/largeValue.ts';
import type { Item } from '#shared/dynamodb/query.ts';
import { removeTimer, setTimer } from '#shared/dynamodb/timers.ts';
import { type Write, WriteConflict } from '#shared/dynamodb/transaction.ts';
import { hashText, randomText } from '#shared/ids.ts';

export const STATE_TYPES = ['conversation', 'integration', 'user', 'bot', 'workflow'] as const;

/** Which state: of what, and its name. */
export interface StateRef {
  type: (typeof STATE_TYPES)[number];
  /** What it is of; of the type `integration` the installation's webhook. */
  ownerId: string;
  name: string;
}

const State = z.object({
  type: z.enum(STATE_TYPES),
  ownerId: z.string(),
  name: z.string(),
  /** How long it may be idle, and so until when it is there. */
  expiryMs: z.optional(z.number()),
  expiresAtMs: z.optional(z.number()),
  /** Another after every change. */
  version: z.string(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  /** The generation of its conversation, left out when it is 0. */
  g: z.optional(z.number()),
  ...storedValue,
});
export type State = z.infer<typeof State>;
export const parseState = (item: Item): State => State.parse(item);

export const keyOfState = (botId: string, { type, ownerId, name }: StateRef) => stateKey(botId, type, ownerId, name);
/** An id that follows from the place: `state_` and 30 characters. */
export const stateIdOf = (botId: string, { type, ownerId, name }: StateRef) =>
  `state_${hashText('state', botId, type, ownerId, name).slice(0, 30)}`;
export const newStateVersion = () => randomText(10);

export const isExpired = ({ expiresAtMs }: Pick<State, 'expiresAtMs'>, nowMs: number) =>
  expiresAtMs !== undefined && expiresAtMs <= nowMs;

/** The condition that nobody changed it since it was read. */
const unchanged = (before: State | undefined) =>
  before
    ? { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': before.version } }
    : { ConditionExpression: 'attribute_not_exists(pk)' };

/**
 * Writes a state, and when it is due to expire.
 * @param before what it was when it was read; where that has changed since it is a {@link WriteConflict}
 */
export const putState = (botId: string, before: State | undefined, state: State): Write[] => {
  const key = keyOfState(botId, state);
  return [
    { put: { Item: { ...key, ...state }, ...unchanged(before) }, onRefused: () => new WriteConflict() },
    ...(state.expiresAtMs !== undefined
      ? [setTimer(key, state.expiresAtMs, state.g)]
      : before?.expiresAtMs !== undefined
        ? [removeTimer(key)]
        : []),
  ];
};

/** Begins the time anew that a state may be idle. It stays the same version: what it says has not changed. */
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

/** Removes an expired state together with its timer's transaction. A change or renewal since is a {@link WriteConflict}. */
export const removeExpiredState = (botId: string, { expiresAtMs, version, ...state }: State): Write => ({
  remove: {
    Key: keyOfState(botId, state),
    ConditionExpression: 'version = :version AND expiresAtMs = :expires',
    ExpressionAttributeValues: { ':version': version, ':expires': expiresAtMs },
  },
  onRefused: () => new WriteConflict(),
});

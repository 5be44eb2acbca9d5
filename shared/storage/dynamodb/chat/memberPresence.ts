/**
 * Members who have a conversation open in the inbox: one item per conversation with an attribute per member, beside the
 * presence of end users, so that no listener of the conversation reads it.
 */
import * as z from 'zod/mini';
import type { Item } from '#shared/storage/dynamodb/engine/query.ts';
import { unconditional, type Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { memberPresenceKey } from '#shared/storage/dynamodb/keys/chat.ts';

export const MEMBER_STATES = ['viewing', 'writingReply', 'writingNote'] as const;
export type MemberState = (typeof MEMBER_STATES)[number];

/** Clients renew their presence every 45 seconds. */
const VIEWING_MS = 75_000;
/** A member who writes repeats it every 15 seconds. */
const WRITING_MS = 30_000;
/** Further members are not recorded. */
export const MAX_MEMBERS = 50;

const RETENTION_SECONDS = 10 * 60;

const Mark = z.object({ a: z.number(), s: z.enum(MEMBER_STATES), n: z.string(), g: z.optional(z.number()) });

export interface MemberPresence {
  accountId: string;
  name: string;
  state: MemberState;
  atMs: number;
  generation: number;
}

const PREFIX = 'm#';

/** Returns the presence in an item, also expired presence, oldest first. */
export const parseMemberPresence = (item: Item = {}): MemberPresence[] =>
  Object.entries(item)
    .flatMap(([name, value]) => {
      if (!name.startsWith(PREFIX)) return [];
      const { a, s, n, g = 0 } = Mark.parse(value);
      return [{ accountId: name.slice(PREFIX.length), name: n, state: s, atMs: a, generation: g }];
    })
    .sort((one, other) => one.atMs - other.atMs);

/** Returns the state at a time: writing ends after {@link WRITING_MS}, and viewing after {@link VIEWING_MS}. */
export function stateAt({ state, atMs }: Pick<MemberPresence, 'state' | 'atMs'>, nowMs: number) {
  if (nowMs - atMs > VIEWING_MS) return undefined;
  return nowMs - atMs > WRITING_MS ? 'viewing' : state;
}

/** Returns true if a change of the item changes what is shown. Renewals do not. */
export function hasAttendanceChanged(before: Item, after: Item): boolean {
  const [former, current] = [parseMemberPresence(before), parseMemberPresence(after)];
  const nowMs = Math.max(0, ...[...former, ...current].map(({ atMs }) => atMs));
  const shown = (all: readonly MemberPresence[]) =>
    all
      .map(each => `${each.accountId} ${each.generation} ${stateAt(each, nowMs)}`)
      .filter(each => !each.endsWith(' undefined'))
      .sort()
      .join();
  return shown(former) !== shown(current);
}

/** @param ended members whose presence has expired, which are removed from the item */
export function showMember(
  botId: string,
  conversationId: string,
  { accountId, name, state, atMs, generation }: MemberPresence,
  ended: readonly string[],
): Write {
  const others = ended.filter(id => id !== accountId);
  const removal = others.length > 0 ? ` REMOVE ${others.map((_, i) => `#ended${i}`).join(', ')}` : '';
  return {
    update: {
      Key: memberPresenceKey(botId, conversationId),
      UpdateExpression: `SET #own = :own, #ttl = :ttl${removal}`,
      ExpressionAttributeNames: {
        '#own': PREFIX + accountId,
        '#ttl': 'ttl',
        ...Object.fromEntries(others.map((id, i) => [`#ended${i}`, PREFIX + id])),
      },
      ExpressionAttributeValues: {
        ':own': { a: atMs, s: state, n: name, g: generation || undefined },
        ':ttl': Math.floor(atMs / 1000) + RETENTION_SECONDS,
      },
    },
    onRefused: unconditional,
  };
}

export const removeMember = (botId: string, conversationId: string, accountId: string): Write => ({
  update: {
    Key: memberPresenceKey(botId, conversationId),
    UpdateExpression: 'REMOVE #own',
    ExpressionAttributeNames: { '#own': PREFIX + accountId },
  },
  onRefused: unconditional,
});

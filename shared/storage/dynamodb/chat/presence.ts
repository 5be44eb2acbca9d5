/** Presence: one item per conversation, because listeners poll it, with attributes per user to avoid conflicts. */
import * as z from 'zod/mini';
import { type Item, readItemEventually } from '#shared/storage/dynamodb/engine/query.ts';
import { unconditional, type Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { presenceKey } from '#shared/storage/dynamodb/keys/chat.ts';
import { HANDOFF_STATUSES, type Handoff } from './handoffs.ts';
import type { Participant } from './participants.ts';

/** Exceeds the listeners' window. Also deletes an item that was written while its conversation was deleted. */
const RETENTION_SECONDS = 24 * 60 * 60;

/** Clients repeat the typing signal, so older signals are stale. */
export const TYPING_MS = 10_000;

const Mark = z.object({
  a: z.number(),
  f: z.optional(z.string()),
  g: z.optional(z.number()),
  /** Of a member who handles the conversation. */
  m: z.optional(z.boolean()),
  v: z.unknown(),
});
export const MESSAGE_STATUSES = ['processing', 'failed'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];
const MessageState = z.object({ s: z.enum(MESSAGE_STATUSES), p: z.string() });
const HandoffState = z.object({ s: z.enum(HANDOFF_STATUSES), u: z.optional(z.string()) });

const TYPING = 't#';
const READ = 'r#';
const STATUS = 's#';
const HANDOFF = 'h#';
/** Separate from STATUS, so that the status of the user's next message does not replace it. */
const FAILED = 'f#';

const common = {
  name: z.string(),
  userId: z.string(),
  foreignUserId: z.optional(z.string()),
  generation: z.number(),
  atMs: z.number(),
  isMember: z.optional(z.boolean()),
};
export const Presence = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('typing'), ...common, isTyping: z.boolean() }),
  z.object({ kind: z.literal('read'), ...common, messageId: z.string() }),
  z.object({
    kind: z.literal('handoff'),
    ...common,
    status: z.enum(HANDOFF_STATUSES),
    memberUserId: z.optional(z.string()),
  }),
  z.object({ kind: z.literal('status'), ...common, status: z.enum(MESSAGE_STATUSES), position: z.string() }),
]);
export type Presence = z.infer<typeof Presence>;

type Whose = Pick<Participant, 'conversationId' | 'userId' | 'foreignUserId' | 'generation'> & { isMember?: boolean };

export const showTyping = (botId: string, participant: Whose, isTyping: boolean, nowMs: number) =>
  show(botId, participant, TYPING, isTyping, nowMs);

export const showRead = (botId: string, participant: Whose, messageId: string, nowMs: number) =>
  show(botId, participant, READ, messageId, nowMs);

export const showStatus = (
  botId: string,
  author: Whose,
  { position, status }: { position: string; status: MessageStatus },
  nowMs: number,
) => show(botId, author, status === 'failed' ? FAILED : STATUS, { s: status, p: position }, nowMs);

export const showHandoff = (
  botId: string,
  { conversationId, generation = 0, status, member }: Handoff,
  nowMs: number,
) => show(botId, { conversationId, userId: botId, generation }, HANDOFF, { s: status, u: member?.userId }, nowMs);

function show(botId: string, participant: Whose, prefix: string, v: unknown, nowMs: number): Write {
  const { conversationId, userId, foreignUserId, generation, isMember } = participant;
  return {
    update: {
      Key: presenceKey(botId, conversationId),
      UpdateExpression: 'SET #mine = :mine, g = :generation, #ttl = :ttl',
      ExpressionAttributeNames: { '#mine': prefix + userId, '#ttl': 'ttl' },
      ExpressionAttributeValues: {
        ':mine': { a: nowMs, v, f: foreignUserId, g: generation || undefined, m: isMember },
        ':generation': generation,
        ':ttl': Math.floor(nowMs / 1000) + RETENTION_SECONDS,
      },
    },
    onRefused: unconditional,
  };
}

/** Returns presence of all participants, oldest first. Eventually consistent, at half the price. */
export const findPresence = async (botId: string, conversationId: string): Promise<Presence[]> =>
  parsePresences((await readItemEventually(presenceKey(botId, conversationId))) ?? {});

/** Returns the presence in an item, oldest first. */
export const parsePresences = (item: Item): Presence[] =>
  Object.entries(item)
    .flatMap(([name, value]) => parsePresence(name, value) ?? [])
    .sort((one, other) => one.atMs - other.atMs);

function parsePresence(name: string, value: unknown): Presence | undefined {
  if (!/^[trshf]#/.test(name)) return undefined;
  const { a, f, g = 0, m, v } = Mark.parse(value);
  const whose = { name, userId: name.slice(TYPING.length), foreignUserId: f, generation: g, atMs: a, isMember: m };
  const prefix = name.slice(0, TYPING.length);
  if (prefix === TYPING) return { kind: 'typing', ...whose, isTyping: v === true };
  if (prefix === READ) return { kind: 'read', ...whose, messageId: String(v) };
  if (prefix === HANDOFF) {
    const { s, u } = HandoffState.parse(v);
    return { kind: 'handoff', ...whose, status: s, memberUserId: u };
  }
  const { s, p } = MessageState.parse(v);
  return { kind: 'status', ...whose, status: s, position: p };
}

/** Returns true if a change of the item begins or ends the typing of an end user. Repeated signals do not. */
export function hasTypingChanged(before: Item, after: Item): boolean {
  const former = new Map(parsePresences(before).map(each => [each.name, each]));
  return parsePresences(after).some(each => {
    if (each.kind !== 'typing' || each.isMember) return false;
    const known = former.get(each.name);
    if (known?.atMs === each.atMs) return false;
    const wasTyping = known?.kind === 'typing' && known.isTyping && each.atMs - known.atMs <= TYPING_MS;
    return wasTyping !== each.isTyping;
  });
}

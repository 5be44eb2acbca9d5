/** Presence: one item per conversation, because listeners poll it, with attributes per user to avoid conflicts. */
import * as z from 'zod/mini';
import { readItemEventually } from '#shared/storage/dynamodb/engine/query.ts';
import { unconditional, type Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { presenceKey } from '#shared/storage/dynamodb/keys/chat.ts';
import { HANDOFF_STATUSES, type Handoff } from './handoffs.ts';
import type { Participant } from './participants.ts';

/** Exceeds the listeners' window. Also deletes an item that was written while its conversation was deleted. */
const RETENTION_SECONDS = 24 * 60 * 60;

const Mark = z.object({
  a: z.number(),
  f: z.optional(z.string()),
  g: z.optional(z.number()),
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

interface Common {
  name: string;
  userId: string;
  foreignUserId?: string | undefined;
  generation: number;
  atMs: number;
}
type Content =
  | { kind: 'typing'; isTyping: boolean }
  | { kind: 'read'; messageId: string }
  | { kind: 'handoff'; status: Handoff['status']; memberUserId?: string | undefined }
  | { kind: 'status'; status: MessageStatus; position: string };
export type Presence = Common & Content;

type Whose = Pick<Participant, 'conversationId' | 'userId' | 'foreignUserId' | 'generation'>;

export const showTyping = (botId: string, participant: Whose, isTyping: boolean, nowMs: number) =>
  show(botId, participant, TYPING, isTyping, nowMs);

export const showRead = (botId: string, participant: Participant, messageId: string, nowMs: number) =>
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
  const { conversationId, userId, foreignUserId, generation } = participant;
  return {
    update: {
      Key: presenceKey(botId, conversationId),
      UpdateExpression: 'SET #mine = :mine, g = :generation, #ttl = :ttl',
      ExpressionAttributeNames: { '#mine': prefix + userId, '#ttl': 'ttl' },
      ExpressionAttributeValues: {
        ':mine': { a: nowMs, v, f: foreignUserId, g: generation || undefined },
        ':generation': generation,
        ':ttl': Math.floor(nowMs / 1000) + RETENTION_SECONDS,
      },
    },
    onRefused: unconditional,
  };
}

/** Returns presence of all participants, oldest first. Eventually consistent, at half the price. */
export async function findPresence(botId: string, conversationId: string): Promise<Presence[]> {
  const item = await readItemEventually(presenceKey(botId, conversationId));
  return Object.entries(item ?? {})
    .flatMap(([name, value]) => parsePresence(name, value) ?? [])
    .sort((one, other) => one.atMs - other.atMs);
}

function parsePresence(name: string, value: unknown): Presence | undefined {
  if (!/^[trshf]#/.test(name)) return undefined;
  const { a, f, g = 0, v } = Mark.parse(value);
  return {
    name,
    userId: name.slice(TYPING.length),
    foreignUserId: f,
    generation: g,
    atMs: a,
    ...parseContent(name.slice(0, TYPING.length), v),
  };
}

function parseContent(prefix: string, value: unknown): Content {
  if (prefix === TYPING) return { kind: 'typing', isTyping: value === true };
  if (prefix === READ) return { kind: 'read', messageId: String(value) };
  if (prefix === HANDOFF) {
    const { s, u } = HandoffState.parse(value);
    return { kind: 'handoff', status: s, memberUserId: u };
  }
  const { s, p } = MessageState.parse(value);
  return { kind: 'status', status: s, position: p };
}

/**
 * What the participants of a conversation show each other right now: that they type, and what they have read last. One
 * item holds it all, because listeners look at it again and again; each user has attributes of his own in it, so that two
 * never overwrite each other. It is no history: where a reading mark stands for good is with the participant.
 */
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { documents } from '#shared/dynamodb/client.ts';
import { presenceKey } from '#shared/dynamodb/keys/chat.ts';
import { unconditional, type Write } from '#shared/dynamodb/transaction.ts';
import { environment } from '#shared/environment.ts';
import type { Participant } from './participants.ts';

/** Nobody looks that far back; it also removes what somebody showed in the moment in which the conversation ended. */
const KEPT_SECONDS = 24 * 60 * 60;

const common = {
  /** When he did. */
  a: z.number(),
  /** The name that his world has for him. */
  f: z.optional(z.string()),
  /** The generation of the conversation, left out when it is 0. */
  g: z.optional(z.number()),
};
const Typing = z.object({ ...common, v: z.boolean() });
const Read = z.object({ ...common, v: z.string() });

const TYPING = 't#';
const READ = 'r#';

interface Common {
  /** Tells apart whose and of which kind it is; each takes the place of the one before. */
  name: string;
  userId: string;
  foreignUserId?: string | undefined;
  generation: number;
  atMs: number;
}
/** What one user shows. */
export type Presence = Common & ({ kind: 'typing'; isTyping: boolean } | { kind: 'read'; messageId: string });

export const showTyping = (botId: string, participant: Participant, isTyping: boolean, nowMs: number) =>
  show(botId, participant, TYPING, isTyping, nowMs);

export const showRead = (botId: string, participant: Participant, messageId: string, nowMs: number) =>
  show(botId, participant, READ, messageId, nowMs);

function show(botId: string, participant: Participant, prefix: string, v: boolean | string, nowMs: number): Write {
  const { conversationId, userId, foreignUserId, generation } = participant;
  return {
    update: {
      Key: presenceKey(botId, conversationId),
      UpdateExpression: 'SET #mine = :mine, g = :generation, #ttl = :ttl',
      ExpressionAttributeNames: { '#mine': prefix + userId, '#ttl': 'ttl' },
      ExpressionAttributeValues: {
        ':mine': { a: nowMs, v, f: foreignUserId, g: generation || undefined },
        ':generation': generation,
        ':ttl': Math.floor(nowMs / 1000) + KEPT_SECONDS,
      },
    },
    onRefused: unconditional,
  };
}

/**
 * What everyone shows, in the order in which they did. At half the price of a consistent read: what was shown within the
 * last moments may be missing, and is there the next time.
 */
export async function findPresence(botId: string, conversationId: string): Promise<Presence[]> {
  const { Item = {} } = await documents.send(
    new GetCommand({ TableName: environment.tableName, Key: presenceKey(botId, conversationId) }),
  );
  return Object.entries(Item)
    .flatMap(([name, value]) => parsePresence(name, value) ?? [])
    .sort((one, other) => one.atMs - other.atMs);
}

function parsePresence(name: string, value: unknown): Presence | undefined {
  const of = ({ a, f, g = 0 }: z.infer<typeof Typing> | z.infer<typeof Read>) => ({
    name,
    userId: name.slice(TYPING.length),
    foreignUserId: f,
    generation: g,
    atMs: a,
  });
  if (name.startsWith(TYPING)) {
    const typing = Typing.parse(value);
    return { ...of(typing), kind: 'typing', isTyping: typing.v };
  }
  if (name.startsWith(READ)) {
    const read = Read.parse(value);
    return { ...of(read), kind: 'read', messageId: read.v };
  }
  return undefined;
}

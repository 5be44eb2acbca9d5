/**
 * What members who watch a bot, or the agents of a workspace, have not been notified of. Merged, so that a busy bot
 * causes one notice a second.
 */
import * as z from 'zod/mini';
import { readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { tryWrite } from '#shared/storage/dynamodb/engine/transaction.ts';
import { noticeKey } from '#shared/storage/dynamodb/keys/connections.ts';

/** Kinds of records that a notice names. */
export const TOPICS = [
  ...(['conversations', 'messages', 'events', 'handoffs', 'notes', 'users', 'workflows'] as const),
  ...(['endpoints', 'mentions', 'presence', 'agents'] as const),
] as const;
export type Topic = (typeof TOPICS)[number];

/** More conversations than this are not named: watchers then read what they show. */
export const MAX_CONVERSATIONS = 100;

const RETENTION_SECONDS = 60 * 60;

const texts = <T extends string>(text: z.ZodMiniType<T>) =>
  z.pipe(
    z.optional(z.set(text)),
    z.transform((set): T[] => [...(set ?? [])].sort()),
  );
const Notice = z.object({
  topics: texts(z.enum(TOPICS)),
  conversationIds: texts(z.string()),
  /** Members whom new notes mention. */
  accountIds: texts(z.string()),
  /** Changes of more conversations than are named. */
  isPartial: z.optional(z.boolean()),
  revision: z.number(),
  sentAtMs: z.optional(z.number()),
});
export type Notice = z.infer<typeof Notice>;

interface Addition {
  topics: readonly Topic[];
  conversationIds: readonly string[];
  accountIds?: readonly string[];
}

export async function addToNotice(
  botId: string,
  { topics, conversationIds, accountIds = [] }: Addition,
  nowMs: number,
): Promise<void> {
  const isPartial = conversationIds.length > MAX_CONVERSATIONS;
  const named = isPartial ? [] : conversationIds;
  await tryWrite({
    update: {
      Key: noticeKey(botId),
      UpdateExpression: `SET #ttl = :ttl${isPartial ? ', isPartial = :yes' : ''} ADD revision :one, topics :topics${named.length > 0 ? ', conversationIds :ids' : ''}${accountIds.length > 0 ? ', accountIds :accounts' : ''}`,
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: {
        ':ttl': Math.floor(nowMs / 1000) + RETENTION_SECONDS,
        ':one': 1,
        ':topics': new Set(topics),
        ...(isPartial ? { ':yes': true } : {}),
        ...(named.length > 0 ? { ':ids': new Set(named) } : {}),
        ...(accountIds.length > 0 ? { ':accounts': new Set(accountIds) } : {}),
      },
    },
  });
}

export async function findNotice(botId: string): Promise<Notice | undefined> {
  const item = await readItem(noticeKey(botId));
  return item && Notice.parse(item);
}

/** Empties a notice that was sent. One that has grown since the read is kept, and sent again with what was added. */
export const clearNotice = (botId: string, { revision }: Notice, nowMs: number): Promise<boolean> =>
  tryWrite({
    update: {
      Key: noticeKey(botId),
      UpdateExpression: 'SET sentAtMs = :now REMOVE topics, conversationIds, accountIds, isPartial',
      ConditionExpression: 'revision = :revision',
      ExpressionAttributeValues: { ':now': nowMs, ':revision': revision },
    },
  });

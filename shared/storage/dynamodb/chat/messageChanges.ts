import { notFound } from '#shared/core/errors.ts';
import { decodeTime } from '#shared/core/ids.ts';
import { encode } from '#shared/storage/dynamodb/engine/aliases.ts';
import { assign } from '#shared/storage/dynamodb/engine/assign.ts';
import { NO_VALUE, type StoredValue } from '#shared/storage/dynamodb/engine/largeValue.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { timelineKey } from '#shared/storage/dynamodb/keys/chat.ts';
import type { Feedback } from './entry.ts';
import { ENTRY } from './entry.ts';
import type { EntryRef } from './timeline.ts';

export const replaceContent = (
  botId: string,
  { conversationId, position }: EntryRef,
  { payload, hasMetadata }: { payload: StoredValue; hasMetadata: boolean },
  { nowMs, shown }: { nowMs: number; shown: string },
): Write => {
  const content = encode(ENTRY, {
    ...NO_VALUE,
    ...payload,
    hasMetadata: hasMetadata || null,
    type: null,
    // The position may come from a clock that is ahead.
    changedAtMs: Math.max(nowMs, decodeTime(position)),
  });
  return {
    update: {
      Key: timelineKey(botId, conversationId, position),
      ...assign(content, { count: 'version' }),
      ConditionExpression: 'attribute_exists(pk)',
    },
    onRefused: () => notFound(shown),
  };
};

export const setFeedback = (
  botId: string,
  { conversationId, position }: EntryRef,
  feedback: Feedback | undefined,
  shown: string,
): Write => ({
  update: {
    Key: timelineKey(botId, conversationId, position),
    ...assign(encode(ENTRY, { feedback: feedback ?? null })),
    ConditionExpression: 'attribute_exists(pk)',
  },
  onRefused: () => notFound(shown),
});

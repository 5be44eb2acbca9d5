import { notFound } from '#shared/core/errors.ts';
import { decodeTime } from '#shared/core/ids.ts';
import type { StoredValue } from '#shared/storage/dynamodb/engine/largeValue.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { timelineKey } from '#shared/storage/dynamodb/keys/chat.ts';
import type { Feedback } from './entry.ts';
import type { EntryRef } from './timeline.ts';

export const replaceContent = (
  botId: string,
  { conversationId, position }: EntryRef,
  { payload, hasMetadata }: { payload: StoredValue; hasMetadata: boolean },
  { nowMs, shown }: { nowMs: number; shown: string },
): Write => {
  const stored = { p: payload.p, z: payload.z, o: payload.o, n: payload.n, x: hasMetadata || undefined };
  const entries = Object.entries(stored);
  const set = entries.filter(([, value]) => value !== undefined);
  const removed = ['y', ...entries.filter(([, value]) => value === undefined).map(([name]) => name)];
  return {
    update: {
      Key: timelineKey(botId, conversationId, position),
      UpdateExpression: [
        `SET c = :changed, ${set.map(([name]) => `#${name} = :${name}`).join(', ')}`,
        `REMOVE ${removed.map(name => `#${name}`).join(', ')}`,
        'ADD version :one',
      ].join(' '),
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: Object.fromEntries([...Object.keys(stored), 'y'].map(name => [`#${name}`, name])),
      ExpressionAttributeValues: {
        ...Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])),
        // The position may stem from a clock that is ahead.
        ':changed': Math.max(nowMs, decodeTime(position)),
        ':one': 1,
      },
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
    UpdateExpression: feedback === undefined ? 'REMOVE l' : 'SET l = :feedback',
    ConditionExpression: 'attribute_exists(pk)',
    ...(feedback === undefined ? {} : { ExpressionAttributeValues: { ':feedback': feedback } }),
  },
  onRefused: () => notFound(shown),
});

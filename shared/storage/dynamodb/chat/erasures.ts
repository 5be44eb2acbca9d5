import { clearPartition, type Progress } from '#shared/storage/dynamodb/engine/partitionCleanup.ts';
import { readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { tryWrite, unconditional, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { erasureKey, erasureSk, userKey, userSk } from '#shared/storage/dynamodb/keys/chat.ts';

/** Starts the erasure of a user, who is hidden immediately. The stream triggers the sweep. Idempotent. */
export async function requestErasure(botId: string, userId: string, nowMs: number): Promise<void> {
  const user = await readItem(userKey(botId, userId));
  if (user) {
    await tryWrite({
      update: {
        Key: userKey(botId, userId),
        UpdateExpression: 'SET endingAtMs = :now, isErased = :yes REMOVE gsiPk, gsi1Sk, gsi2Sk',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':now': nowMs, ':yes': true },
      },
    });
  }
  await tryWrite({
    put: {
      Item: { ...erasureKey(botId, userId), userId, foreignId: user?.foreignId, untilMs: nowMs },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  });
}

export async function clearErasedUser(botId: string, userId: string, progress: Progress): Promise<void> {
  const user = await readItem(userKey(botId, userId));
  // A user that was re-created meanwhile is kept.
  if (user && !user.isErased) return;
  await clearPartition(userKey(botId, userId).pk, progress, sk => sk === erasureSk || sk === userSk);
  await tryWrite({
    remove: {
      Key: userKey(botId, userId),
      ConditionExpression: 'isErased = :yes',
      ExpressionAttributeValues: { ':yes': true },
    },
  });
}

export const endErasure = (botId: string, userId: string): Promise<void> =>
  write([{ remove: { Key: erasureKey(botId, userId) }, onRefused: unconditional }]);

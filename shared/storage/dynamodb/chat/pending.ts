import { type Item, queryPage } from '#shared/storage/dynamodb/engine/query.ts';
import { conversationPk, positionOf } from '#shared/storage/dynamodb/keys/chat.ts';
import { END } from '#shared/storage/dynamodb/lists/lists.ts';

const LOOK = 50;

/** Returns pending records in order, read consistently. `next` is the position to resume from. */
export async function listPending(
  botId: string,
  conversationId: string,
  { prefix, from }: { prefix: string; from: string },
): Promise<{ items: Item[]; next?: string }> {
  const { items, next } = await queryPage({
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
    FilterExpression: '#status = :pending',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':pk': conversationPk(botId, conversationId),
      ':first': `${prefix}${from}`,
      ':last': `${prefix}${END}`,
      ':pending': 'pending',
    },
    ConsistentRead: true,
    Limit: LOOK,
  });
  // The smallest sort key after the last read record.
  return next ? { items, next: `${positionOf(next.sk)}!` } : { items };
}

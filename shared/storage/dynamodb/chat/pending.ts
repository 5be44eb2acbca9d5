/** What waits in a conversation to be delivered: events to the bot, and what goes out to an integration. */
import { conversationPk, positionOf } from '#shared/storage/dynamodb/keys/chat.ts';
import { END } from '#shared/storage/dynamodb/lists.ts';
import { type Item, queryPage } from '#shared/storage/dynamodb/query.ts';

/** Records that one read looks at. */
const LOOK = 50;

/**
 * The pending records of a conversation in order, from a position on, read consistently.
 * @param prefix of the sort keys of their kind
 * @returns `next`, the position to go on from, if there may be more
 */
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
  // Nothing sorts between the last one that was looked at and itself with one more character.
  return next ? { items, next: `${positionOf(next.sk)}!` } : { items };
}

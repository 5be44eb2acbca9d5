import { notFound } from '#shared/core/errors.ts';
import { type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import { userKey } from '#shared/storage/dynamodb/keys/chat.ts';
import { isSameUser, type User, userConditions } from './users.ts';
import type { Webhook } from './webhooks.ts';

/** Fails with {@link WriteConflict} if another conversation has become current since the user was read. */
export const setCurrentConversation = (
  here: Pick<Webhook, 'botId' | 'webhookId'>,
  user: User,
  conversationId: string,
): Write => {
  const { currentConversationId: before } = user;
  const { ConditionExpression, ExpressionAttributeValues } = userConditions(here, user);
  return {
    update: {
      Key: userKey(here.botId, user.id),
      UpdateExpression: 'SET currentConversationId = :conversation',
      ConditionExpression: `${ConditionExpression} AND ${
        before === undefined ? 'attribute_not_exists(currentConversationId)' : 'currentConversationId = :before'
      }`,
      ExpressionAttributeValues: {
        ...ExpressionAttributeValues,
        ':conversation': conversationId,
        ...(before === undefined ? {} : { ':before': before }),
      },
    },
    onRefused: existing =>
      isSameUser(here, user, existing) ? new WriteConflict() : notFound(`The user ${user.foreignId ?? user.id}`),
  };
};

import { notFound } from '#shared/core/errors.ts';
import { readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import { conversationKey } from '#shared/storage/dynamodb/keys/chat.ts';

export const setCurrentWorkflow = (botId: string, conversationId: string, workflowId: string): Write => ({
  update: {
    Key: conversationKey(botId, conversationId),
    UpdateExpression: 'SET currentWorkflowId = :id',
    ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(deletedAtMs)',
    ExpressionAttributeValues: { ':id': workflowId },
  },
  onRefused: () => notFound(`The conversation ${conversationId}`),
});

export async function clearCurrentWorkflow(
  botId: string,
  conversationId: string,
  workflowId: string,
): Promise<Write[]> {
  const conversation = await readItem(conversationKey(botId, conversationId));
  if (conversation?.currentWorkflowId !== workflowId) return [];
  return [
    {
      update: {
        Key: conversationKey(botId, conversationId),
        UpdateExpression: 'REMOVE currentWorkflowId',
        ConditionExpression: 'currentWorkflowId = :id',
        ExpressionAttributeValues: { ':id': workflowId },
      },
      onRefused: () => new WriteConflict(),
    },
  ];
}

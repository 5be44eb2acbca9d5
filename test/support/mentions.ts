import { queryPage } from '#shared/storage/dynamodb/engine/query.ts';
import { mentionsPk } from '#shared/storage/dynamodb/keys/mentions.ts';

/** Returns the stored mentions of a workspace. */
export const findMentionItems = async (workspaceId: string) =>
  (
    await queryPage({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': mentionsPk(workspaceId) },
    })
  ).items;

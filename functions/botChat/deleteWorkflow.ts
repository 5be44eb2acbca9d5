import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { requireWorkflow } from '#shared/domain/botChat/requireWorkflow.ts';
import { parentEvent, releaseConversation } from '#shared/domain/messaging/workflows/workflowEvents.ts';
import { loadWorkflowValues, removeWorkflow } from '#shared/storage/dynamodb/chat/workflows.ts';

export const deleteWorkflow = botChatOperation({
  name: 'deleteWorkflow',
  summary: 'Deletes a workflow in any status and notifies its parent. Its children stay.',
  scope: 'bot',
  method: 'DELETE',
  path: '/chat/workflows/{id}',
  table: 'writes',
  largeValues: 'writes',
  output: z.object({}),
  statuses: [200],

  handle: async call => {
    const { botId, input, commit } = call;
    const workflow = await requireWorkflow(call, input.id);
    return commit(ok({}), [
      ...removeWorkflow(botId, workflow),
      ...(await releaseConversation(botId, workflow)),
      ...(await parentEvent(botId, workflow, await loadWorkflowValues(workflow), 'child_workflow_deleted')),
    ]);
  },
});

import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/platform/operation.ts';
import { requireWorkflow } from '#shared/botChat/requireWorkflow.ts';
import type { WorkflowValues } from '#shared/botChat/views/workflow.ts';
import { clearCurrent, tellParent } from '#shared/botChat/workflows.ts';
import { removeWorkflow } from '#shared/dynamodb/chat/workflows.ts';
import { loadValue } from '#shared/s3/largeValue.ts';

export const deleteWorkflow = botChatOperation({
  name: 'deleteWorkflow',
  summary: 'Deletes a workflow, whatever its status. Its parent is told; its children stay.',
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
      ...(await clearCurrent(botId, workflow)),
      ...(await tellParent(botId, workflow, (await loadValue(workflow)) as WorkflowValues, 'child_workflow_deleted')),
    ]);
  },
});

import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { requireWorkflow } from '#shared/domain/botChat/requireWorkflow.ts';
import { etag } from '#shared/domain/messaging/botViews/viewFields.ts';
import { loadWorkflow, WorkflowView } from '#shared/domain/messaging/botViews/workflowView.ts';

export const getWorkflow = botChatOperation({
  name: 'getWorkflow',
  summary: 'Returns a workflow.',
  scope: 'bot',
  method: 'GET',
  path: '/chat/workflows/{id}',
  table: 'reads',
  largeValues: 'reads',
  output: z.object({ workflow: WorkflowView }),
  statuses: [200],

  handle: async call => {
    const workflow = await requireWorkflow(call, call.input.id);
    return { ...ok({ workflow: await loadWorkflow(workflow) }), headers: etag(workflow.version) };
  },
});

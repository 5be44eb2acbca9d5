import * as z from 'zod/mini';
import { requireWorkflow } from '../../shared/bot-chat/requireWorkflow.ts';
import { etag } from '../../shared/bot-chat/views/common.ts';
import { loadWorkflow, WorkflowView } from '../../shared/bot-chat/views/workflow.ts';
import { ok } from '../../shared/operation.ts';
import { botChatOperation } from '../../shared/platform/operation.ts';

export const getWorkflow = botChatOperation({
  name: 'getWorkflow',
  summary: 'One workflow.',
  scope: 'bot',
  method: 'GET',
  path: '/chat/workflows/{id}',
  table: 'reads',
  bigValues: 'reads',
  output: z.object({ workflow: WorkflowView }),
  statuses: [200],

  handle: async call => {
    const workflow = await requireWorkflow(call, call.input.id);
    return { ...ok({ workflow: await loadWorkflow(workflow) }), headers: etag(workflow.version) };
  },
});

import * as z from 'zod/mini';
import { created } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/platform/operation.ts';
import { etag } from '#shared/botChat/views/common.ts';
import { WorkflowView } from '#shared/botChat/views/workflow.ts';
import { workflowFields } from '#shared/botChat/workflowInputs.ts';
import { makeWorkflow } from '#shared/botChat/workflows.ts';

export const createWorkflow = botChatOperation({
  name: 'createWorkflow',
  summary: 'Starts a workflow. One that is not finished by timeoutAt (a day from now, if not given) times out.',
  scope: 'bot',
  method: 'POST',
  path: '/chat/workflows',
  table: 'writes',
  largeValues: 'writes',
  body: z.object(workflowFields),
  output: z.object({ workflow: WorkflowView }),
  statuses: [201],

  handle: async call => {
    const { record, version, writes } = await makeWorkflow(call, call.input);
    return { ...(await call.commit(created({ workflow: record }), writes)), headers: etag(version) };
  },
});

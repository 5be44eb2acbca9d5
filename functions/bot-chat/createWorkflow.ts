import * as z from 'zod/mini';
import { etag } from '../../shared/bot-chat/views/common.ts';
import { WorkflowView } from '../../shared/bot-chat/views/workflow.ts';
import { workflowFields } from '../../shared/bot-chat/workflowInputs.ts';
import { makeWorkflow } from '../../shared/bot-chat/workflows.ts';
import { created } from '../../shared/operation.ts';
import { botChatOperation } from '../../shared/platform/operation.ts';

export const createWorkflow = botChatOperation({
  name: 'createWorkflow',
  summary: 'Starts a workflow. One that is not finished by timeoutAt (a day from now, if not given) times out.',
  scope: 'bot',
  method: 'POST',
  path: '/chat/workflows',
  table: 'writes',
  bigValues: 'writes',
  body: z.object(workflowFields),
  output: z.object({ workflow: WorkflowView }),
  statuses: [201],

  handle: async call => {
    const { record, version, writes } = await makeWorkflow(call, call.input);
    return { ...(await call.commit(created({ workflow: record }), writes)), headers: etag(version) };
  },
});

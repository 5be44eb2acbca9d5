import * as z from 'zod/mini';
import { created, MEGABYTE } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import * as workflows from '#shared/domain/botChat/workflows/createWorkflow.ts';
import { workflowFields } from '#shared/domain/botChat/workflows/workflowInputs.ts';
import { etag } from '#shared/domain/messaging/botViews/viewFields.ts';
import { WorkflowView } from '#shared/domain/messaging/botViews/workflowView.ts';

export const createWorkflow = botChatOperation({
  name: 'createWorkflow',
  summary: 'Creates a workflow. It times out at timeoutAt, which defaults to one day from now.',
  scope: 'bot',
  method: 'POST',
  path: '/chat/workflows',
  table: 'writes',
  largeValues: 'writes',
  payloadLimitBytes: MEGABYTE,
  body: z.object(workflowFields),
  output: z.object({ workflow: WorkflowView }),
  statuses: [201],

  handle: async call => {
    const { record, writes } = await workflows.createWorkflow(call, call.input);
    return { ...(await call.commit(created({ workflow: record.view }), writes)), headers: etag(record.version) };
  },
});

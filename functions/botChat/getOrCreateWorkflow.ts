import * as z from 'zod/mini';
import { createdOrFound } from '#shared/api/operation.ts';
import { discriminators } from '#shared/api/platform/inputs.ts';
import { botChatOperation } from '#shared/api/platform/operation.ts';
import { etag } from '#shared/botChat/views/common.ts';
import { WorkflowView } from '#shared/botChat/views/workflow.ts';
import { workflowFields } from '#shared/botChat/workflowInputs.ts';
import { getOrMakeWorkflow } from '#shared/botChat/workflows.ts';

export const getOrCreateWorkflow = botChatOperation({
  name: 'getOrCreateWorkflow',
  summary:
    'The workflow of a name with these tags, or a new one. Of the tags all must be the same, or those that discriminateByTags names; discriminateByStatusGroup leaves the finished or the active ones out.',
  scope: 'bot',
  method: 'POST',
  path: '/chat/workflows/get-or-create',
  table: 'writes',
  largeValues: 'writes',
  body: z.object({
    ...workflowFields,
    discriminateByTags: z.optional(discriminators()),
    discriminateByStatusGroup: z.optional(z.enum(['active', 'finished'])),
  }),
  output: z.object({ workflow: WorkflowView, meta: z.object({ created: z.boolean() }) }),
  statuses: [200, 201],

  handle: async call => {
    const { record, isNew, version, writes } = await getOrMakeWorkflow(call, call.input);
    return { ...(await call.commit(createdOrFound(isNew, { workflow: record }), writes)), headers: etag(version) };
  },
});

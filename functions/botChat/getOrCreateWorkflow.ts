import * as z from 'zod/mini';
import { createdOrFound, MEGABYTE } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { discriminators } from '#shared/domain/botChat/botChatInputs.ts';
import * as workflows from '#shared/domain/botChat/workflows/getOrCreateWorkflow.ts';
import { workflowFields } from '#shared/domain/botChat/workflows/workflowInputs.ts';
import { etag } from '#shared/domain/messaging/botViews/viewFields.ts';
import { WorkflowView } from '#shared/domain/messaging/botViews/workflowView.ts';

export const getOrCreateWorkflow = botChatOperation({
  name: 'getOrCreateWorkflow',
  summary:
    'Returns the workflow of a name with these tags, or creates it. A match has all of the tags and no others, or the tags that discriminateByTags names. discriminateByStatusGroup considers only active or only finished workflows.',
  scope: 'bot',
  method: 'POST',
  path: '/chat/workflows/get-or-create',
  table: 'writes',
  largeValues: 'writes',
  payloadLimitBytes: MEGABYTE,
  body: z.object({
    ...workflowFields,
    discriminateByTags: z.optional(discriminators()),
    discriminateByStatusGroup: z.optional(z.enum(['active', 'finished'])),
  }),
  output: z.object({ workflow: WorkflowView, meta: z.object({ created: z.boolean() }) }),
  statuses: [200, 201],

  handle: async call => {
    const { record, isNew, writes } = await workflows.getOrCreateWorkflow(call, call.input);
    const answer = createdOrFound(isNew, { workflow: record.view });
    return { ...(await call.commit(answer, writes)), headers: etag(record.version) };
  },
});

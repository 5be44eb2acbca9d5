import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { anything, id, tagChanges } from '#shared/api/platform/inputs.ts';
import { botChatOperation } from '#shared/api/platform/operation.ts';
import { requireWorkflow } from '#shared/botChat/requireWorkflow.ts';
import { etag } from '#shared/botChat/views/common.ts';
import { WorkflowView } from '#shared/botChat/views/workflow.ts';
import { changedWorkflow } from '#shared/botChat/workflows.ts';
import { write } from '#shared/dynamodb/transaction.ts';
import { text } from '#shared/text.ts';

export const updateWorkflow = botChatOperation({
  name: 'updateWorkflow',
  summary: 'Leads a workflow on, or ends it. One that is finished stays as it is.',
  scope: 'bot',
  method: 'PUT',
  path: '/chat/workflows/{id}',
  table: 'writes',
  largeValues: 'writes',
  isVersioned: true,
  body: z.object({
    output: z.optional(anything()),
    timeoutAt: z.optional(z.iso.datetime({ offset: true })),
    status: z.optional(z.enum(['failed', 'in_progress', 'listening', 'completed', 'paused', 'cancelled'])),
    failureReason: z.optional(text(2_000)),
    tags: z.optional(tagChanges()),
    userId: z.optional(id()),
    eventId: z.optional(id()),
  }),
  output: z.object({ workflow: WorkflowView }),
  statuses: [200],

  handle: async call => {
    const before = await requireWorkflow(call, call.input.id);
    const { record, version, writes } = await changedWorkflow(call, before, call.input);
    await write(writes);
    return { ...ok({ workflow: record }), headers: etag(version) };
  },
});

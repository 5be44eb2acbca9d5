import * as z from 'zod/mini';
import { MEGABYTE, ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { tagChanges } from '#shared/api/platform/tagInputs.ts';
import { text } from '#shared/core/text.ts';
import { anything, id } from '#shared/domain/botChat/botChatInputs.ts';
import { requireWorkflow } from '#shared/domain/botChat/requireWorkflow.ts';
import * as workflows from '#shared/domain/botChat/workflows/updateWorkflow.ts';
import { etag } from '#shared/domain/messaging/botViews/viewFields.ts';
import { WorkflowView } from '#shared/domain/messaging/botViews/workflowView.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';

export const updateWorkflow = botChatOperation({
  name: 'updateWorkflow',
  summary: "Updates a workflow's status, output or tags. A finished workflow keeps its status.",
  scope: 'bot',
  method: 'PUT',
  path: '/chat/workflows/{id}',
  table: 'writes',
  largeValues: 'writes',
  isVersioned: true,
  payloadLimitBytes: MEGABYTE,
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
    const { record, writes } = await workflows.updateWorkflow(call, before, call.input);
    await write(writes);
    return { ...ok({ workflow: record.view }), headers: etag(record.version) };
  },
});

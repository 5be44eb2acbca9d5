import * as z from 'zod/mini';
import { tags } from '#shared/api/platform/tagInputs.ts';
import { anything, id, typeName } from '#shared/domain/botChat/botChatInputs.ts';

export const workflowFields = {
  name: typeName(),
  input: z.optional(anything()),
  parentWorkflowId: z.optional(id()),
  conversationId: z.optional(id()),
  userId: z.optional(id()),
  timeoutAt: z.optional(z.iso.datetime({ offset: true })),
  tags: z.optional(tags()),
  status: z.enum(['pending', 'in_progress', 'listening']),
  eventId: z.optional(id()),
};

import * as z from 'zod/mini';
import { dateTime, iso } from '#shared/api/views.ts';
import {
  loadWorkflowValues,
  WORKFLOW_STATUSES,
  type Workflow,
  type WorkflowValues,
} from '#shared/storage/dynamodb/chat/workflows.ts';
import { Names, Payload } from './viewFields.ts';

export const WorkflowView = z.object({
  id: z.string(),
  name: z.string(),
  status: z.enum(WORKFLOW_STATUSES),
  input: Payload,
  output: Payload,
  parentWorkflowId: z.optional(z.string()),
  conversationId: z.optional(z.string()),
  userId: z.optional(z.string()),
  createdAt: dateTime(),
  updatedAt: dateTime(),
  completedAt: z.optional(dateTime()),
  failureReason: z.optional(z.string()),
  timeoutAt: dateTime(),
  tags: Names,
});

export const viewWorkflow = (workflow: Workflow, { input, output }: WorkflowValues): z.infer<typeof WorkflowView> => ({
  id: workflow.id,
  name: workflow.name,
  status: workflow.status,
  input,
  output,
  parentWorkflowId: workflow.parentWorkflowId,
  conversationId: workflow.conversationId,
  userId: workflow.userId,
  createdAt: iso(workflow.createdAtMs),
  updatedAt: iso(workflow.updatedAtMs),
  ...(workflow.completedAtMs === undefined ? {} : { completedAt: iso(workflow.completedAtMs) }),
  failureReason: workflow.failureReason,
  timeoutAt: iso(workflow.timeoutAtMs),
  tags: workflow.tags,
});

export const loadWorkflow = async (workflow: Workflow) => viewWorkflow(workflow, await loadWorkflowValues(workflow));

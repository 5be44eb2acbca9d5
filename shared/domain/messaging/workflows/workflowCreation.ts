import type * as z from 'zod/mini';
import { present } from '#shared/api/platform/tagInputs.ts';
import { invalidPayload } from '#shared/core/errors.ts';
import { newWorkflowId } from '#shared/core/ids.ts';
import { viewWorkflow, type WorkflowView } from '#shared/domain/messaging/botViews/workflowView.ts';
import type { GetOrCreateResult } from '#shared/domain/messaging/getOrCreate.ts';
import { YEAR_MS } from '#shared/domain/messaging/schedule.ts';
import { setCurrentWorkflow } from '#shared/storage/dynamodb/chat/currentWorkflow.ts';
import {
  putNewWorkflow,
  taggedWorkflow,
  type Workflow,
  type WorkflowValues,
} from '#shared/storage/dynamodb/chat/workflows.ts';
import { storeValue } from '#shared/storage/dynamodb/engine/largeValue.ts';
import { tagWrites } from '#shared/storage/dynamodb/tags/tags.ts';
import { workflowEvent } from './workflowEvents.ts';

export interface WorkflowInput {
  name: string;
  input?: Record<string, unknown> | undefined;
  parentWorkflowId?: string | undefined;
  conversationId?: string | undefined;
  userId?: string | undefined;
  timeoutAt?: string | undefined;
  tags?: Record<string, string> | undefined;
  status: 'pending' | 'in_progress' | 'listening';
}

export interface VersionedWorkflow {
  view: z.infer<typeof WorkflowView>;
  version: number;
}

const DEFAULT_TIMEOUT_MS = 24 * 3600 * 1000;

/** @throws ApiError InvalidPayload for a time in the past or more than a year away */
export function timeoutMsOf(timeoutAt: string | undefined, nowMs: number): number | undefined {
  if (timeoutAt === undefined) return undefined;
  const ms = Date.parse(timeoutAt);
  if (ms <= nowMs || ms > nowMs + YEAR_MS) {
    throw invalidPayload('Must be in the future, and within a year.', 'timeoutAt');
  }
  return ms;
}

/**
 * Returns a new workflow and, if it is pending, the event that starts it. The referenced records must exist.
 * @param cell the table cell that the workflow computes
 */
export async function createWorkflow(
  { botId, nowMs }: { botId: string; nowMs: number },
  { name, input = {}, parentWorkflowId, conversationId, userId, timeoutAt, tags, status }: WorkflowInput,
  cell?: string,
): Promise<GetOrCreateResult<VersionedWorkflow>> {
  const values: WorkflowValues = { input, output: {} };
  const workflow: Workflow = {
    id: newWorkflowId(nowMs),
    name,
    status,
    parentWorkflowId,
    conversationId,
    userId,
    tags: present(tags),
    timeoutAtMs: timeoutMsOf(timeoutAt, nowMs) ?? nowMs + DEFAULT_TIMEOUT_MS,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    version: 1,
    cell,
    ...(await storeValue(botId, values)),
  };
  return {
    record: { view: viewWorkflow(workflow, values), version: workflow.version },
    isNew: true,
    writes: [
      ...putNewWorkflow(botId, workflow),
      ...(await tagWrites(botId, taggedWorkflow(workflow), workflow.tags)),
      ...(conversationId === undefined ? [] : [setCurrentWorkflow(botId, conversationId, workflow.id)]),
      ...(status === 'pending' ? await workflowEvent(botId, workflow, values, 'workflow_started') : []),
    ],
  };
}

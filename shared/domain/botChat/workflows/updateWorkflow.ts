import type { BotCall } from '#shared/api/operations/platform.ts';
import { requireVersion } from '#shared/api/platform/requireVersion.ts';
import { invalidPayload } from '#shared/core/errors.ts';
import { TAGS_LIMIT } from '#shared/core/mapChanges.ts';
import { requireLinks } from '#shared/domain/botChat/events/eventRules.ts';
import { viewWorkflow } from '#shared/domain/messaging/botViews/workflowView.ts';
import type { ScopedCall } from '#shared/domain/messaging/callerScope.ts';
import { timeoutMsOf, type VersionedWorkflow } from '#shared/domain/messaging/workflows/workflowCreation.ts';
import { statusChangeWrites } from '#shared/domain/messaging/workflows/workflowEvents.ts';
import {
  changeWorkflow,
  isFinished,
  loadWorkflowValues,
  taggedWorkflow,
  type Workflow,
  type WorkflowStatus,
} from '#shared/storage/dynamodb/chat/workflows.ts';
import { storeValue } from '#shared/storage/dynamodb/engine/largeValue.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { type Tags, tagWrites } from '#shared/storage/dynamodb/tags/tags.ts';
import { requireEventFor } from './createWorkflow.ts';

export interface WorkflowChanges {
  output?: Record<string, unknown> | undefined;
  timeoutAt?: string | undefined;
  status?: Exclude<WorkflowStatus, 'pending' | 'timedout'> | undefined;
  failureReason?: string | undefined;
  tags?: Record<string, string | null> | undefined;
  userId?: string | undefined;
  eventId?: string | undefined;
}

const FROM_UNFINISHED = ['in_progress', 'listening', 'paused', 'completed', 'failed', 'cancelled'] as const;

/** Statuses that a caller may set, by current status. */
const NEXT: Record<WorkflowStatus, readonly WorkflowStatus[]> = {
  pending: FROM_UNFINISHED,
  in_progress: FROM_UNFINISHED,
  listening: FROM_UNFINISHED,
  paused: FROM_UNFINISHED,
  completed: ['completed'],
  failed: ['failed'],
  timedout: [],
  cancelled: ['cancelled'],
};

/**
 * Returns the next version of a workflow with its writes and events.
 * @throws ApiError InvalidPayload, ResourceNotFound, ResourceLockedConflict if `If-Match` names another version
 */
export async function updateWorkflow(
  call: ScopedCall & Pick<BotCall<unknown>, 'ifMatch'>,
  before: Workflow,
  changes: WorkflowChanges,
): Promise<{ record: VersionedWorkflow; writes: Write[] }> {
  const { botId, nowMs, ifMatch } = call;
  requireVersion(ifMatch, before.version);
  const { status = before.status, failureReason = before.failureReason, userId = before.userId } = changes;
  requireTransition(before, changes);
  await Promise.all([
    requireEventFor(call, before.status === 'in_progress' ? undefined : changes.status, changes.eventId),
    requireLinks(call, { userId: changes.userId }),
  ]);
  const tags = changedTags(before.tags, changes.tags);
  const values = await loadWorkflowValues(before);
  const after: Workflow = {
    ...before,
    status,
    failureReason,
    userId,
    tags,
    timeoutAtMs: timeoutMsOf(changes.timeoutAt, nowMs) ?? before.timeoutAtMs,
    updatedAtMs: nowMs,
  };
  if (isFinished(after)) after.completedAtMs ??= nowMs;
  if (changes.output) {
    values.output = changes.output;
    Object.assign(after, { p: undefined, z: undefined, o: undefined, n: undefined }, await storeValue(botId, values));
  }
  const added = Object.fromEntries(Object.entries(tags).filter(([key, value]) => before.tags[key] !== value));
  return {
    record: { view: viewWorkflow(after, values), version: before.version + 1 },
    writes: [
      ...changeWorkflow(botId, before, after),
      ...(await tagWrites(botId, taggedWorkflow(before), added)),
      ...(await statusChangeWrites(botId, before, after, values)),
    ],
  };
}

function requireTransition(before: Workflow, changes: WorkflowChanges): void {
  const status = changes.status ?? before.status;
  if (changes.status !== undefined && !NEXT[before.status].includes(status)) {
    throw invalidPayload(`The status cannot change from ${before.status} to ${status}.`, 'status');
  }
  if (changes.failureReason !== undefined && status !== 'failed' && status !== 'cancelled') {
    throw invalidPayload('Must be omitted unless the workflow failed or was cancelled.', 'failureReason');
  }
}

/** An empty value or null removes a tag. */
function changedTags(before: Tags, changes: Record<string, string | null> = {}): Tags {
  const tags = { ...before };
  for (const [key, value] of Object.entries(changes)) {
    if (value) tags[key] = value;
    else delete tags[key];
  }
  if (Object.keys(tags).length > TAGS_LIMIT)
    throw invalidPayload(`A record can have at most ${TAGS_LIMIT} tags.`, 'tags');
  return tags;
}

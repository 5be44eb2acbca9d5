/** Workflows, as the bot-level operations find, make and change them, and what the bot is told of them. */

import { present, YEAR_MS } from '#shared/api/platform/inputs.ts';
import type { BotCall } from '#shared/api/platform/operation.ts';
import { requireVersion } from '#shared/api/platform/requireVersion.ts';
import { findConversation } from '#shared/dynamodb/chat/conversations.ts';
import { type Event, newEventId, putNewEvent } from '#shared/dynamodb/chat/events.ts';
import { findAnyUser } from '#shared/dynamodb/chat/users.ts';
import {
  changeWorkflow,
  findWorkflow,
  findWorkflows,
  isFinished,
  putNewWorkflow,
  taggedWorkflow,
  type Workflow,
  type WorkflowStatus,
} from '#shared/dynamodb/chat/workflows.ts';
import { conversationKey, workflowClaimKey } from '#shared/dynamodb/keys/chat.ts';
import { END } from '#shared/dynamodb/lists.ts';
import { readItem } from '#shared/dynamodb/query.ts';
import { listNarrowest, loadTagged, tagWrites } from '#shared/dynamodb/tags.ts';
import { type Write, WriteConflict } from '#shared/dynamodb/transaction.ts';
import { invalidPayload, notFound } from '#shared/errors.ts';
import { hashText, newWorkflowId } from '#shared/ids.ts';
import { TAGS_LIMIT } from '#shared/mapChanges.ts';
import { BOT_SCOPE, type CallerScope } from '#shared/messaging/callerScope.ts';
import { canonicalTags, discriminatingTags, hasTags } from '#shared/messaging/getOrCreate.ts';
import { loadValue, storeValue } from '#shared/s3/largeValue.ts';
import { requireEvent, requireLinks } from './events.ts';
import { putClaim } from './messages.ts';
import type { GetOrCreateResult } from './users.ts';
import { viewConversation } from './views/conversation.ts';
import { viewUser } from './views/user.ts';
import { viewWorkflow, type WorkflowValues } from './views/workflow.ts';

type Payload = Record<string, unknown>;
type WorkflowCall = CallerScope & { nowMs: number };

export interface WorkflowInput {
  name: string;
  input?: Payload | undefined;
  parentWorkflowId?: string | undefined;
  conversationId?: string | undefined;
  userId?: string | undefined;
  timeoutAt?: string | undefined;
  tags?: Record<string, string> | undefined;
  status: 'pending' | 'in_progress' | 'listening';
  eventId?: string | undefined;
}

/** A workflow that names no end is given up after a day. */
const DEFAULT_TIMEOUT_MS = 24 * 3600 * 1000;

type WorkflowView = ReturnType<typeof viewWorkflow>;

/** @throws ApiError InvalidPayload for a time that has passed, or is more than a year away */
function timeoutMsOf(timeoutAt: string | undefined, nowMs: number): number | undefined {
  if (timeoutAt === undefined) return undefined;
  const ms = Date.parse(timeoutAt);
  if (ms <= nowMs || ms > nowMs + YEAR_MS)
    throw invalidPayload('Must be in the future, and within a year.', 'timeoutAt');
  return ms;
}

/** A workflow in progress is so in an event that the bot is dealing with (FACTS 1.3). @throws ApiError */
async function requireEventOf(
  scope: CallerScope,
  status: string | undefined,
  eventId: string | undefined,
): Promise<void> {
  if (status === 'in_progress' && eventId === undefined) {
    throw invalidPayload('A workflow that is in progress needs the event in which it is.', 'eventId');
  }
  if (eventId !== undefined) await requireEvent(scope, eventId);
}

/** A new workflow, and what the bot is told of it. @param cell of a table, which it computes */
export async function makeWorkflow(
  call: WorkflowCall,
  given: WorkflowInput,
  cell?: string,
): Promise<GetOrCreateResult<WorkflowView> & { id: string; version: number }> {
  const { botId, nowMs } = call;
  const { name, parentWorkflowId, conversationId, userId, status } = given;
  await Promise.all([
    requireEventOf(call, status, given.eventId),
    requireLinks(call, { conversationId, userId, workflowId: parentWorkflowId }),
  ]);
  const values: WorkflowValues = { input: given.input ?? {}, output: {} };
  const workflow: Workflow = {
    id: newWorkflowId(nowMs),
    name,
    status,
    parentWorkflowId,
    conversationId,
    userId,
    tags: present(given.tags),
    timeoutAtMs: timeoutMsOf(given.timeoutAt, nowMs) ?? nowMs + DEFAULT_TIMEOUT_MS,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    version: 1,
    cell,
    ...(await storeValue(botId, values)),
  };
  return {
    id: workflow.id,
    version: workflow.version,
    record: viewWorkflow(workflow, values),
    isNew: true,
    writes: [
      ...putNewWorkflow(botId, workflow),
      ...(await tagWrites(botId, taggedWorkflow(workflow), workflow.tags)),
      ...(conversationId === undefined ? [] : [setCurrent(botId, conversationId, workflow.id)]),
      ...(status === 'pending' ? await tell(botId, workflow, values, 'workflow_started') : []),
    ],
  };
}

/** The workflow of this name with these tags, in one of a group of statuses if that is asked for, or a new one. */
export async function getOrMakeWorkflow(
  call: WorkflowCall,
  given: WorkflowInput & {
    discriminateByTags?: string[] | undefined;
    discriminateByStatusGroup?: 'active' | 'finished' | undefined;
  },
): Promise<GetOrCreateResult<WorkflowView> & { id: string; version: number }> {
  const { botId } = call;
  const { name, discriminateByTags, discriminateByStatusGroup: group } = given;
  const wanted = discriminatingTags(present(given.tags), discriminateByTags);
  if (Object.keys(wanted).length === 0) return makeWorkflow(call, given);

  const isWanted = (workflow: Workflow | undefined): workflow is Workflow =>
    workflow !== undefined &&
    workflow.name === name &&
    hasTags(workflow.tags, wanted, discriminateByTags === undefined) &&
    (group === undefined || isFinished(workflow) === (group === 'finished'));
  const asFound = async (workflow: Workflow) => ({
    id: workflow.id,
    version: workflow.version,
    record: viewWorkflow(workflow, (await loadValue(workflow)) as WorkflowValues),
    isNew: false,
    writes: [],
  });

  const claim = workflowClaimKey(botId, hashText('workflow by', name, canonicalTags(wanted), group ?? ''));
  const claimItem = await readItem(claim);
  const claimed = claimItem && (await findWorkflow(botId, claimItem.id));
  if (isWanted(claimed)) return asFound(claimed);
  const range = { direction: 'desc' as const, first: '', last: END };
  const entries = listNarrowest(botId, 'workflow', wanted, range);
  for await (const { record } of loadTagged(entries, ids => findWorkflows(botId, ids), 25)) {
    if (isWanted(record)) return asFound(record);
  }
  const made = await makeWorkflow(call, given);
  return { ...made, writes: [...made.writes, putClaim(claim, claimItem, { id: made.id })] };
}

export interface WorkflowChanges {
  output?: Payload | undefined;
  timeoutAt?: string | undefined;
  status?: Exclude<WorkflowStatus, 'pending' | 'timedout'> | undefined;
  failureReason?: string | undefined;
  tags?: Record<string, string | null> | undefined;
  userId?: string | undefined;
  eventId?: string | undefined;
}

/** From which statuses a caller may lead a workflow to which. What is finished stays as it is. */
const NEXT: Record<WorkflowStatus, readonly WorkflowStatus[]> = {
  pending: ['in_progress', 'listening', 'paused', 'completed', 'failed', 'cancelled'],
  in_progress: ['in_progress', 'listening', 'paused', 'completed', 'failed', 'cancelled'],
  listening: ['in_progress', 'listening', 'paused', 'completed', 'failed', 'cancelled'],
  paused: ['in_progress', 'listening', 'paused', 'completed', 'failed', 'cancelled'],
  completed: ['completed'],
  failed: ['failed'],
  timedout: [],
  cancelled: ['cancelled'],
};

/** The next version of a workflow, its writes, and what the bot is told of it. */
export async function changedWorkflow(
  call: WorkflowCall & Pick<BotCall<unknown>, 'ifMatch'>,
  before: Workflow,
  given: WorkflowChanges,
): Promise<{ record: WorkflowView; version: number; writes: Write[] }> {
  const { botId, nowMs, ifMatch } = call;
  requireVersion(ifMatch, before.version);
  const { status = before.status, failureReason = before.failureReason, userId = before.userId } = given;
  if (given.status !== undefined && !NEXT[before.status].includes(status)) {
    throw invalidPayload(`A workflow that is ${before.status} cannot become ${status}.`, 'status');
  }
  if (given.failureReason !== undefined && status !== 'failed' && status !== 'cancelled') {
    throw invalidPayload('Only a workflow that failed or was cancelled has a reason for it.', 'failureReason');
  }
  await Promise.all([
    requireEventOf(call, before.status === 'in_progress' ? undefined : given.status, given.eventId),
    requireLinks(call, { userId: given.userId }),
  ]);
  const tags = { ...before.tags };
  for (const [key, value] of Object.entries(given.tags ?? {})) {
    if (value) tags[key] = value;
    else delete tags[key];
  }
  if (Object.keys(tags).length > TAGS_LIMIT) throw invalidPayload(`A record has at most ${TAGS_LIMIT} tags.`, 'tags');
  const values = (await loadValue(before)) as WorkflowValues;
  const after: Workflow = {
    ...before,
    status,
    failureReason,
    userId,
    tags,
    timeoutAtMs: timeoutMsOf(given.timeoutAt, nowMs) ?? before.timeoutAtMs,
    updatedAtMs: nowMs,
  };
  if (isFinished(after)) after.completedAtMs ??= nowMs;
  if (given.output) {
    values.output = given.output;
    Object.assign(after, { p: undefined, z: undefined, o: undefined, n: undefined }, await storeValue(botId, values));
  }
  const added = Object.fromEntries(Object.entries(tags).filter(([key, value]) => before.tags[key] !== value));
  return {
    record: viewWorkflow(after, values),
    version: before.version + 1,
    writes: [
      ...changeWorkflow(botId, before, after),
      ...(await tagWrites(botId, taggedWorkflow(before), added)),
      ...(await workflowEvent(botId, before, after, values)),
    ],
  };
}

/** What follows from a change of status: the bot goes on with it, its parent learns of its end, its conversation is free. */
export async function workflowEvent(
  botId: string,
  before: Workflow,
  after: Workflow,
  values: WorkflowValues,
): Promise<Write[]> {
  const isContinued = (before.status === 'paused' || before.status === 'listening') && after.status === 'in_progress';
  if (isContinued) return tell(botId, after, values, 'workflow_continued');
  if (isFinished(before) || !isFinished(after)) return [];
  return [
    ...(after.status === 'timedout' ? await tell(botId, after, values, 'workflow_timedout') : []),
    ...(await tellParent(botId, after, values, 'child_workflow_finished')),
    ...(await clearCurrent(botId, after)),
  ];
}

type Update =
  | 'workflow_started'
  | 'workflow_continued'
  | 'workflow_timedout'
  | 'child_workflow_finished'
  | 'child_workflow_deleted';

/** An event of the type `workflow_update` (FACTS 1.3). */
async function tell(
  botId: string,
  workflow: Workflow,
  values: WorkflowValues,
  type: Update,
  child?: WorkflowView,
): Promise<Write[]> {
  const { conversationId, userId } = workflow;
  const [conversation, user] = await Promise.all([
    conversationId === undefined ? undefined : findConversation(botId, conversationId),
    userId === undefined ? undefined : findAnyUser(botId, userId),
  ]);
  const payload = {
    type,
    workflow: viewWorkflow(workflow, values),
    ...(conversation ? { conversation: viewConversation(BOT_SCOPE, conversation) } : {}),
    ...(user ? { user: viewUser(BOT_SCOPE, user) } : {}),
    ...(child ? { childWorkflow: child } : {}),
  };
  const event: Event = {
    id: newEventId(undefined),
    type: 'workflow_update',
    status: 'pending',
    conversationId: workflow.conversationId,
    userId: workflow.userId,
    workflowId: workflow.id,
    ...(await storeValue(botId, payload)),
  };
  return putNewEvent(botId, event);
}

export async function tellParent(
  botId: string,
  child: Workflow,
  values: WorkflowValues,
  type: 'child_workflow_finished' | 'child_workflow_deleted',
): Promise<Write[]> {
  const parent = child.parentWorkflowId && (await findWorkflow(botId, child.parentWorkflowId));
  if (!parent) return [];
  return tell(botId, parent, (await loadValue(parent)) as WorkflowValues, type, viewWorkflow(child, values));
}

/** The conversation shows the workflow that it is in. */
const setCurrent = (botId: string, conversationId: string, workflowId: string): Write => ({
  update: {
    Key: conversationKey(botId, conversationId),
    UpdateExpression: 'SET currentWorkflowId = :id',
    ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(deletedAtMs)',
    ExpressionAttributeValues: { ':id': workflowId },
  },
  onRefused: () => notFound(`The conversation ${conversationId}`),
});

/** …until that is finished, unless it is in another by then. */
export async function clearCurrent(botId: string, { id, conversationId }: Workflow): Promise<Write[]> {
  if (conversationId === undefined) return [];
  const conversation = await readItem(conversationKey(botId, conversationId));
  if (conversation?.currentWorkflowId !== id) return [];
  return [
    {
      update: {
        Key: conversationKey(botId, conversationId),
        UpdateExpression: 'REMOVE currentWorkflowId',
        ConditionExpression: 'currentWorkflowId = :id',
        ExpressionAttributeValues: { ':id': id },
      },
      onRefused: () => new WriteConflict(),
    },
  ];
}

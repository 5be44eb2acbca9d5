/** `workflow_update` events, which report a bot's workflows to it (docs/api/botChat.md#workflows). */

import { viewConversation } from '#shared/domain/messaging/botViews/conversationView.ts';
import { viewUser } from '#shared/domain/messaging/botViews/userView.ts';
import { viewWorkflow } from '#shared/domain/messaging/botViews/workflowView.ts';
import { BOT_SCOPE } from '#shared/domain/messaging/callerScope.ts';
import { type Conversation, findConversation } from '#shared/storage/dynamodb/chat/conversations.ts';
import { clearCurrentWorkflow } from '#shared/storage/dynamodb/chat/currentWorkflow.ts';
import { type Event, type EventOrder, newEventId, putNewEvent } from '#shared/storage/dynamodb/chat/events.ts';
import { findAnyUser } from '#shared/storage/dynamodb/chat/users.ts';
import {
  findWorkflow,
  isFinished,
  loadWorkflowValues,
  type Workflow,
  type WorkflowValues,
} from '#shared/storage/dynamodb/chat/workflows.ts';
import { storeValue } from '#shared/storage/dynamodb/engine/largeValue.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';

type ChildUpdate = 'child_workflow_finished' | 'child_workflow_deleted';
type Update = 'workflow_started' | 'workflow_continued' | 'workflow_timedout' | ChildUpdate;

export const orderOfConversation = (conversation: Conversation | undefined): EventOrder => ({
  conversationId: conversation?.id,
  generation: conversation?.generation || undefined,
});

/**
 * Returns the order of a workflow's event. A deleted conversation does not order events, because its partition is
 * swept.
 */
export async function orderOfWorkflow(
  botId: string,
  { id, conversationId }: Pick<Workflow, 'id' | 'conversationId'>,
): Promise<EventOrder> {
  const conversation = conversationId === undefined ? undefined : await findConversation(botId, conversationId);
  return { ...orderOfConversation(conversation), workflowId: id };
}

export async function workflowEvent(
  botId: string,
  workflow: Workflow,
  values: WorkflowValues,
  type: Update,
  child?: ReturnType<typeof viewWorkflow>,
): Promise<Write[]> {
  const { conversationId, userId } = workflow;
  const [conversation, user] = await Promise.all([
    conversationId === undefined ? undefined : findConversation(botId, conversationId),
    userId === undefined ? undefined : findAnyUser(botId, userId),
  ]);
  const order = { ...orderOfConversation(conversation), workflowId: workflow.id };
  const payload = {
    type,
    workflow: viewWorkflow(workflow, values),
    ...(conversation ? { conversation: viewConversation(BOT_SCOPE, conversation) } : {}),
    ...(user ? { user: viewUser(BOT_SCOPE, user) } : {}),
    ...(child ? { childWorkflow: child } : {}),
  };
  const event: Event = {
    id: newEventId(order),
    type: 'workflow_update',
    status: 'pending',
    conversationId,
    userId,
    workflowId: workflow.id,
    generation: order.generation,
    ...(await storeValue(botId, payload)),
  };
  return putNewEvent(botId, event);
}

export async function parentEvent(
  botId: string,
  child: Workflow,
  values: WorkflowValues,
  type: ChildUpdate,
): Promise<Write[]> {
  const parent = child.parentWorkflowId && (await findWorkflow(botId, child.parentWorkflowId));
  if (!parent) return [];
  return workflowEvent(botId, parent, await loadWorkflowValues(parent), type, viewWorkflow(child, values));
}

/** Returns the consequences of a change of status: events, and at the end the release of the conversation. */
export async function statusChangeWrites(
  botId: string,
  before: Workflow,
  after: Workflow,
  values: WorkflowValues,
): Promise<Write[]> {
  const isContinued = (before.status === 'paused' || before.status === 'listening') && after.status === 'in_progress';
  if (isContinued) return workflowEvent(botId, after, values, 'workflow_continued');
  if (isFinished(before) || !isFinished(after)) return [];
  return [
    ...(after.status === 'timedout' ? await workflowEvent(botId, after, values, 'workflow_timedout') : []),
    ...(await parentEvent(botId, after, values, 'child_workflow_finished')),
    ...(await releaseConversation(botId, after)),
  ];
}

export const releaseConversation = async (botId: string, { id, conversationId }: Workflow): Promise<Write[]> =>
  conversationId === undefined ? [] : clearCurrentWorkflow(botId, conversationId, id);

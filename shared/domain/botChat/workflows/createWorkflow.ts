import { invalidPayload } from '#shared/core/errors.ts';
import { requireEvent, requireLinks } from '#shared/domain/botChat/events/eventRules.ts';
import type { CallerScope, ScopedCall } from '#shared/domain/messaging/callerScope.ts';
import type { GetOrCreateResult } from '#shared/domain/messaging/getOrCreate.ts';
import * as workflows from '#shared/domain/messaging/workflows/workflowCreation.ts';

export type WorkflowInput = workflows.WorkflowInput & { eventId?: string | undefined };

/** @throws ApiError ResourceNotFound for a record that the input refers to, InvalidPayload */
export async function createWorkflow(
  call: ScopedCall,
  input: WorkflowInput,
): Promise<GetOrCreateResult<workflows.VersionedWorkflow>> {
  const { parentWorkflowId, conversationId, userId, status, eventId } = input;
  await Promise.all([
    requireEventFor(call, status, eventId),
    requireLinks(call, { conversationId, userId, workflowId: parentWorkflowId }),
  ]);
  return workflows.createWorkflow(call, input);
}

/**
 * A workflow in progress requires the event that the bot is handling.
 * @param status the workflow's new status
 * @throws ApiError InvalidPayload without the event, ResourceNotFound if it does not exist
 */
export async function requireEventFor(
  scope: CallerScope,
  status: string | undefined,
  eventId: string | undefined,
): Promise<void> {
  if (status === 'in_progress' && eventId === undefined) {
    throw invalidPayload('A workflow in progress needs the id of the event that the bot is handling.', 'eventId');
  }
  if (eventId !== undefined) await requireEvent(scope, eventId);
}

import { viewState } from '#shared/domain/messaging/botViews/stateView.ts';
import type { ScopedCall } from '#shared/domain/messaging/callerScope.ts';
import { orderOfWorkflow } from '#shared/domain/messaging/workflows/workflowEvents.ts';
import { type Event, type EventOrder, newEventId, putNewEvent } from '#shared/storage/dynamodb/chat/events.ts';
import {
  isOfIntegration,
  newStateVersion,
  putState,
  removeState,
  type State,
} from '#shared/storage/dynamodb/chat/states.ts';
import { findWorkflow } from '#shared/storage/dynamodb/chat/workflows.ts';
import { loadValue, storeValue } from '#shared/storage/dynamodb/engine/largeValue.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import type { FoundState } from './findState.ts';

type Payload = Record<string, unknown>;

/**
 * Returns the next version of a state.
 * @param expiryMs idle time from now on; undefined keeps the current one, null removes it
 */
export async function nextState(
  { botId, nowMs }: Pick<ScopedCall, 'botId' | 'nowMs'>,
  { ref, generation, before, isOver }: FoundState,
  payload: Payload,
  expiryMs: number | null | undefined,
): Promise<State> {
  const current = isOver ? undefined : before;
  const expiry = expiryMs === undefined ? current?.expiryMs : (expiryMs ?? undefined);
  return {
    ...ref,
    ...(expiry === undefined ? {} : { expiryMs: expiry, expiresAtMs: nowMs + expiry }),
    version: newStateVersion(),
    createdAtMs: current?.createdAtMs ?? nowMs,
    updatedAtMs: nowMs,
    generation: generation || undefined,
    ...(await storeValue(botId, payload)),
  };
}

export const stateWrites = async (botId: string, { before, isOver }: FoundState, after: State): Promise<Write[]> => [
  ...putState(botId, before, after),
  ...(before && isOver ? await stateExpiredEvent(botId, before) : []),
];

export const stateRemoval = async (botId: string, { before, isOver }: FoundState): Promise<Write[]> =>
  before ? [...removeState(botId, before), ...(isOver ? await stateExpiredEvent(botId, before) : [])] : [];

/**
 * Returns the `state_expired` event; none for a state without an expiry. Excludes the payload of an integration's own
 * state.
 */
export async function stateExpiredEvent(botId: string, state: State): Promise<Write[]> {
  if (state.expiresAtMs === undefined) return [];
  const conversationId = state.type === 'conversation' ? state.ownerId : undefined;
  const payload = isOfIntegration(state) ? {} : ((await loadValue(state)) as Payload);
  const shown = viewState(botId, state, state.name, payload);
  const workflow = state.type === 'workflow' ? await findWorkflow(botId, state.ownerId) : undefined;
  const order: EventOrder = workflow ? await orderOfWorkflow(botId, workflow) : { conversationId };
  const event: Event = {
    id: newEventId(order),
    type: 'state_expired',
    status: 'pending',
    conversationId,
    userId: state.type === 'user' ? state.ownerId : undefined,
    workflowId: state.type === 'workflow' ? state.ownerId : undefined,
    generation: state.generation ?? order.generation,
    ...(await storeValue(botId, { state: shown })),
  };
  return putNewEvent(botId, event);
}

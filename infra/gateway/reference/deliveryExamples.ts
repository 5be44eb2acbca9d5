/** Examples of delivered events and signals, from the recorded responses of operations that return the same records. */
import { answerOf } from '#infra/gateway/examples/answers.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import { EXAMPLE, EXAMPLE_DAY, exampleId } from '#shared/api/reference/example.ts';

type Named = Pick<Operation, 'group' | 'name'>;

/** Returns the record in a recorded response. */
const recordIn = (group: Named['group'], name: string, field: string): Record<string, unknown> =>
  (answerOf({ group, name } as Named)!.body as Record<string, Record<string, unknown>>)[field]!;

const TIME = `${EXAMPLE_DAY}T09:30:00.000Z`;

/** @param name of the event, see `deliveries.ts` */
export function exampleOfEvent(name: string) {
  const { type = name, ...others } = EVENTS[name]!();
  return {
    id: exampleId('evb', name, 32),
    createdAt: TIME,
    type,
    status: 'pending',
    failureReason: null,
    ...others,
  };
}

interface EventExample {
  type?: string;
  payload: object;
  conversationId?: string;
  userId?: string;
}

const inConversation = { conversationId: EXAMPLE.conversation };
const handoff = () => recordIn('botChat', 'getHandoff', 'handoff');

const EVENTS: Record<string, () => EventExample> = {
  message_created: () => ({
    ...inConversation,
    userId: EXAMPLE.user,
    payload: {
      message: recordIn('botChat', 'getMessage', 'message'),
      user: recordIn('botChat', 'getUser', 'user'),
      conversation: recordIn('botChat', 'getConversation', 'conversation'),
    },
  }),
  custom: () => ({
    type: 'chat:custom',
    ...inConversation,
    userId: EXAMPLE.user,
    payload: { userId: EXAMPLE.user, ...inConversation, payload: { clicked: 'order' } },
  }),
  workflow_update: () => ({
    payload: { type: 'workflow_started', workflow: recordIn('botChat', 'getWorkflow', 'workflow') },
  }),
  state_expired: () => ({ payload: { state: recordIn('botChat', 'getState', 'state') } }),
  handoff_started: () => ({ ...inConversation, payload: { ...inConversation, handoff: handoff() } }),
  handoff_ended: () => ({
    ...inConversation,
    payload: {
      ...inConversation,
      handoff: { ...handoff(), status: 'closed', endedAt: TIME },
      messages: { ...inConversation, afterDate: TIME, beforeDate: TIME },
    },
  }),
  message_delivery_failed: () => ({
    ...inConversation,
    payload: {
      operation: 'message_created',
      ...inConversation,
      messageId: EXAMPLE.message,
      reason: 'The endpoint returned 404.',
    },
  }),
  table_row: () => ({
    type: 'table_row_created',
    payload: { tableId: EXAMPLE.table, tableName: 'peopleTable', row: recordIn('tables', 'getTableRow', 'row') },
  }),
};

/** @param type of the signal */
export const exampleOfSignal = (type: string) => ({ type, data: SIGNALS[type]!() });

const message = () => ({ ...recordIn('chat', 'getMessage', 'message'), isBot: false });
const participant = () => ({ ...inConversation, participantId: EXAMPLE.otherUser });

const SIGNALS: Record<string, () => object> = {
  message_created: message,
  message_updated: message,
  message_deleted: () => ({ id: EXAMPLE.message, ...inConversation, userId: EXAMPLE.user }),
  event_created: () => ({ ...recordIn('chat', 'getEvent', 'event'), isBot: false }),
  participant_added: participant,
  participant_removed: participant,
};

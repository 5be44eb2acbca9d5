/** Events that the platform posts to a bot's endpoint, and signals that it posts to the outgoing webhook of a chat. */
import * as z from 'zod/mini';
import { listenConversation } from '#functions/chat/listenConversation.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import { dateTime } from '#shared/api/views.ts';
import { HandoffView } from '#shared/domain/botChat/handoffs/handoffView.ts';
import { ConversationView } from '#shared/domain/messaging/botViews/conversationView.ts';
import { EventView } from '#shared/domain/messaging/botViews/eventView.ts';
import { MessageView } from '#shared/domain/messaging/botViews/messageView.ts';
import { StateView } from '#shared/domain/messaging/botViews/stateView.ts';
import { UserView } from '#shared/domain/messaging/botViews/userView.ts';
import { WorkflowView } from '#shared/domain/messaging/botViews/workflowView.ts';
import { RowView } from '#shared/domain/tables/rows/rowView.ts';
import { exampleOfEvent, exampleOfSignal } from './deliveryExamples.ts';
import { describedSchema, describeSchema, type FieldOwner, typeOfVariant, variantsOf } from './describedSchemas.ts';
import { type JsonSchema, jsonSchema } from './jsonSchemas.ts';

const Values = z.record(z.string(), z.any());
const handoff = { conversationId: z.string(), handoff: HandoffView };
const row = { tableId: z.string(), tableName: z.string(), row: RowView };

/** Payloads by the name that descriptions of fields use instead of an operation's. */
const PAYLOADS: Readonly<Record<string, { type: z.ZodMiniType; when: string; payload: z.ZodMiniType }>> = {
  message_created: {
    type: z.literal('message_created'),
    when: 'A user wrote a message.',
    payload: z.object({ message: MessageView, user: UserView, conversation: ConversationView }),
  },
  custom: {
    type: z.string(),
    when: 'A user of a chat sent a custom event. Its type is the alias of the installation with `:custom`.',
    payload: z.object({ userId: z.string(), conversationId: z.string(), payload: Values }),
  },
  workflow_update: {
    type: z.literal('workflow_update'),
    when: 'A workflow of the bot, or a child of it, changed its status.',
    payload: z.object({
      type: z.enum([
        'workflow_started',
        'workflow_continued',
        'workflow_timedout',
        'child_workflow_finished',
        'child_workflow_deleted',
      ]),
      workflow: WorkflowView,
      conversation: z.optional(ConversationView),
      user: z.optional(UserView),
      childWorkflow: z.optional(WorkflowView),
    }),
  },
  state_expired: {
    type: z.literal('state_expired'),
    when: 'A state with an expiry was deleted, because it was idle.',
    payload: z.object({ state: StateView }),
  },
  handoff_started: {
    type: z.literal('handoff_started'),
    when: 'A conversation was handed over to the members.',
    payload: z.object(handoff),
  },
  handoff_ended: {
    type: z.literal('handoff_ended'),
    when: 'A handoff was closed. The bot handles the conversation again.',
    payload: z.object({
      ...handoff,
      messages: z.object({ conversationId: z.string(), afterDate: dateTime(), beforeDate: dateTime() }),
    }),
  },
  message_delivery_failed: {
    type: z.literal('message_delivery_failed'),
    when: 'An outbound message could not be delivered. Only with a subscription.',
    payload: z.object({
      operation: z.string(),
      conversationId: z.string(),
      messageId: z.optional(z.string()),
      reason: z.string(),
    }),
  },
  table_row: {
    type: z.enum(['table_row_created', 'table_row_updated', 'table_row_deleted']),
    when: 'A row of a table was created, changed or deleted. Only with a subscription.',
    payload: z.object({ ...row, previous: z.optional(Values) }),
  },
};

interface Delivered {
  name: string;
  example: unknown;
  summary: string;
  schema: JsonSchema;
}

const ownerOf = (name: string): FieldOwner => ({ group: 'botChat', name });

/** Bodies of calls to a bot's endpoint, with the parts that describe their fields. */
export const deliveredEvents: readonly (Delivered & { owner: FieldOwner })[] = Object.entries(PAYLOADS).map(
  ([name, { type, when, payload }]) => {
    const body = z.object({ event: z.object({ ...EventView.shape, type, payload }) });
    const schema = jsonSchema(body, 'output');
    const owner = ownerOf(name);
    describeSchema(owner, schema, []);
    return { name, summary: when, schema, owner, example: { event: exampleOfEvent(name) } };
  },
);

/** Signals that {@link deliveredSignals} contains. Presence and parts of replies are not sent. */
const SENT = new Set([
  ...['message_created', 'message_updated', 'message_deleted'],
  ...['event_created', 'participant_added', 'participant_removed'],
]);

export const deliveredSignals = (): Delivered[] =>
  variantsOf(describedSchema(listenConversation as unknown as Operation, 'streams')!).flatMap(schema => {
    const name = typeOfVariant(schema)!;
    if (!SENT.has(name)) return [];
    return [{ name, summary: String(schema.description), schema, example: exampleOfSignal(name) }];
  });

/** Returns the calls in the notation of OpenAPI. */
export const webhooksOf = (deliveries: readonly Delivered[], { tag, verb }: { tag: string; verb: string }) =>
  Object.fromEntries(
    deliveries.map(({ name, summary, schema, example }) => [
      name,
      {
        post: {
          summary: name,
          description: summary,
          tags: [tag],
          requestBody: { description: verb, required: true, content: { 'application/json': { schema, example } } },
          responses: { 200: { description: 'Accepted. Any other status is retried or recorded as a failure.' } },
        },
      },
    ]),
  );

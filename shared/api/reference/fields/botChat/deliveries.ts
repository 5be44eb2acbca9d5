/** Events that the platform posts to the endpoint of the bot: see `infra/gateway/reference/deliveries.ts`. */

import { ROW } from '#shared/api/reference/fields/tables/rows.ts';
import { shapeIn } from '#shared/api/reference/fieldTexts.ts';

const EVENTS = [
  ...['message_created', 'custom', 'workflow_update', 'state_expired', 'handoff_started', 'handoff_ended'],
  ...['message_delivery_failed', 'table_row'],
];
const payloadsOf = (...types: string[]) => types.map(type => `${type}.event.payload`);

export const deliveries = [
  shapeIn('botChat', EVENTS, { event: 'The event. All attempts at its delivery have the same `id`.' }),
  shapeIn('botChat', payloadsOf('message_created'), {
    message: 'The message of the user.',
    user: 'Author of the message.',
    conversation: 'Conversation of the message.',
  }),
  shapeIn('botChat', payloadsOf('custom'), {
    userId: 'User who sent the event.',
    conversationId: 'Conversation of the event.',
    payload: 'JSON object that the user sent. Treat it as untrusted.',
  }),
  shapeIn('botChat', payloadsOf('workflow_update'), {
    type: 'Change that the event reports.',
    workflow: 'The workflow, or the parent of the child that changed.',
    conversation: 'Conversation in which the workflow runs.',
    user: 'User for whom the workflow runs.',
    childWorkflow: 'The child that ended or was deleted.',
  }),
  shapeIn('botChat', payloadsOf('state_expired'), {
    state: 'The state before its deletion. Without payload, if it belonged to an integration.',
  }),
  shapeIn('botChat', payloadsOf('handoff_started', 'handoff_ended'), {
    conversationId: 'Conversation that was handed over.',
    handoff: 'The handoff after the change.',
  }),
  shapeIn('botChat', payloadsOf('handoff_ended'), {
    messages: 'Query of `listMessages` that returns the messages during the handoff.',
    'messages.conversationId': 'Conversation that was handed over.',
    'messages.afterDate': 'Time of the start of the handoff.',
    'messages.beforeDate': 'Time of the end of the handoff.',
  }),
  shapeIn('botChat', payloadsOf('message_delivery_failed'), {
    operation: 'Call to the integration that failed, for example `message_created`.',
    conversationId: 'Conversation of the message.',
    messageId: 'Message that was not delivered.',
    reason: 'Text about the problem, from the integration or the platform.',
  }),
  shapeIn('botChat', payloadsOf('table_row'), {
    tableId: 'Table of the row, `table_` and 22 characters.',
    tableName: 'Name of that table when the row changed.',
    row: 'The row after the change, or before its deletion, with its columns as further fields.',
    previous: 'Values of the columns before the change. Only in `table_row_updated`.',
  }),
  shapeIn('botChat', ['table_row.event.payload.row'], ROW),
];

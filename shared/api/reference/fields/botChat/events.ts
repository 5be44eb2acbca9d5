import { anywhereIn, shapeIn } from '#shared/api/reference/fieldTexts.ts';

export const events = [
  shapeIn('botChat', ['event', 'events'], {
    id: 'Id of the event: `evb_`, or `evt_` and `msg_` for events about the timeline of a conversation.',
    createdAt: 'Time of the event. For a scheduled event, the time at which it is due.',
    type: 'Type of the event, for example `message_created`. Types of an integration start with its alias.',
    payload: 'Content of the event. Empty if the message that it reports was deleted.',
    conversationId: 'Conversation in which the event occurred.',
    userId: 'User whom the event concerns.',
    messageId: 'Message that the event concerns.',
    workflowId: 'Workflow that the event concerns.',
    status:
      'Delivery to the bot: `pending` until an attempt succeeds (`processed`), is omitted (`ignored`) or the last one fails.',
    failureReason: 'Reason why the delivery failed or was ignored. Null otherwise.',
  }),
  shapeIn('botChat', ['createEvent.body'], {
    type: 'Type of the event. Types of an integration get its alias as a prefix. Types of the platform are rejected.',
    payload: 'Content of the event. An event that an integration declares must match the schema.',
    schedule: 'Later time of the event. Without it, the event occurs immediately.',
    conversationId: 'Conversation that the event concerns. The events of one conversation are delivered in order.',
    userId: 'User whom the event concerns.',
    workflowId: 'Workflow that the event concerns.',
    messageId: 'Message that the event concerns.',
  }),
  shapeIn('botChat', ['trackAnalytics.body'], {
    name: 'Name of the count, such as `order placed`.',
    count: 'Number to add: 0 to 1,000,000,000, also with decimals.',
  }),
  shapeIn('botChat', ['listPendingDeliveries.output'], { deliveries: 'Deliveries that wait, in order.' }),
  shapeIn('botChat', ['listPendingDeliveries.output.deliveries'], {
    id: 'Id of the delivery. For a delivery to the bot, the id of its event.',
    messageId: 'Message that is delivered. Absent for other events.',
    integrationAlias: 'Installation that receives it. Absent for the bot.',
    attempts: 'Number of failed attempts. 0 for a delivery that waits for an earlier one of the conversation.',
    reason: 'Why the latest attempt failed, or was not made.',
    since: 'Time since which deliveries of the conversation wait.',
    nextAttemptAt: 'Earliest time of the next attempt.',
  }),
  anywhereIn('botChat', {
    'output.event': 'The event after the call.',
    'output.events': 'Events that match the filters, newest first.',
  }),
];

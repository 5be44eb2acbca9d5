import { anywhereIn, shapeIn } from '#shared/api/reference/fieldTexts.ts';

export const conversations = [
  shapeIn('chat', ['conversation', 'conversations'], {
    id: 'Id of the conversation: the id that the client chose, or an id of the platform, `convo_` and 22 characters.',
    createdAt: 'Time at which the conversation was created.',
    updatedAt: 'Time of the latest activity: a message, an event or a change of the conversation.',
  }),
  shapeIn('chat', ['conversation'], {
    handoff: 'Open handoff of the conversation to a member of the team. Absent while the bot answers.',
    'handoff.status': 'State of the handoff: `waiting` in the queue, or `served` by a member.',
    'handoff.userId': 'Participant who represents the member in this conversation. Absent while waiting.',
  }),
  shapeIn('chat', ['rateHandoff.body', 'rateHandoff.output.rating'], {
    value: 'How satisfied the user is. The highest number is the best.',
    comment: 'Text of the user for the members.',
  }),
  shapeIn('chat', ['rateHandoff.output.rating'], { ratedAt: 'Time of the call.' }),
  anywhereIn('chat', {
    'output.rating': 'The stored rating.',
    'output.conversation': 'The conversation after the call.',
    'output.conversations': 'Conversations in which the caller participates, by latest activity.',
  }),
];

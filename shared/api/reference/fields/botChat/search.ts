/** Results of searches in the inbox. */
import { anywhereIn, shapeIn } from '#shared/api/reference/fieldTexts.ts';

const CONVERSATION = {
  id: 'Id of the conversation.',
  updatedAt: 'Time of the last activity in the conversation.',
  handoff: 'Latest handoff of the conversation. Absent if it was never handed over.',
  preview: 'Latest message and its conversation partner.',
};

export const search = [
  anywhereIn('botChat', {
    'output.customers': 'Users that match, the latest activity of the page first.',
    'output.results': 'Conversations with a match, newest activity first.',
  }),
  shapeIn('botChat', ['searchInbox.output'], {
    isPartial: 'True if the workspace has more bots than were searched.',
  }),
  shapeIn('botChat', ['customers'], {
    botId: 'Bot of the user.',
    user: 'The user. Absent for a conversation without one.',
    'user.id': 'Id of the user.',
    'user.name': 'Display name of the user.',
    'user.pictureUrl': 'Address or data URL of the profile picture.',
    matches: 'Fields in which the words of the query were found.',
    'matches.field': 'Kind of the field: `name`, `email`, `contact`, `tag`, `attribute`, or `id` of the record.',
    'matches.key': 'Name of the tag, attribute, property or field of the contact.',
    'matches.value': 'Value of the field, up to 200 characters.',
    conversations: 'Latest conversations of the user, up to three, or 20 of a user who was found by id.',
  }),
  shapeIn('botChat', ['customers.conversations', 'results.conversation'], CONVERSATION),
  shapeIn('botChat', ['results'], {
    botId: 'Bot of the conversation.',
    conversation: 'Conversation that contains the message.',
    message: 'Latest message that contains the text.',
    'message.id': 'Id of the message.',
    'message.createdAt': 'Time of the message.',
    'message.author': 'Kind of the author: the `user`, the `bot` or a `member`.',
    'message.userId': 'User in whose name the message was written.',
    'message.type': 'Kind of the payload, for example `text`.',
    excerpt: 'Part of the message around the match.',
    'excerpt.before': 'Up to 60 characters before the match, with an ellipsis if there are more.',
    'excerpt.match': 'The text as it is written in the message.',
    'excerpt.after': 'Up to 60 characters after the match, with an ellipsis if there are more.',
  }),
  shapeIn('botChat', ['searchInboxMessages.output'], {
    searched: 'Extent of the search of this call.',
    'searched.conversations': 'Number of conversations that were searched.',
    'searched.to': 'Activity of the oldest conversation that was searched.',
    isPartial: 'True if the workspace has more bots than were searched.',
  }),
];

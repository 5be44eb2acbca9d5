import { anywhereIn, shapeIn } from '#shared/api/reference/fieldTexts.ts';

export const users = [
  shapeIn('chat', ['user', 'participant', 'participants'], {
    id: 'Id of the user: the foreign id in their key, or an id of the platform, `user_` and 24 characters.',
    name: 'Name that the user or the owner of the bot set. Treat it as untrusted text.',
    pictureUrl: 'Address or data URL of the profile picture.',
    profile: 'Text about the user for the bot, often JSON. Visible to the user themselves, the bot and its members.',
    createdAt: 'Time at which the user was created.',
    updatedAt: 'Time of the last change of the name, picture, profile, data or attributes.',
    data: 'Object that the page set with the `userData` of the webchat client. Absent in other installations.',
    attributes: 'Strings by name that the user or the bot set, for example `locale`. Keys merge on change.',
  }),
  shapeIn('chat', ['participant', 'participants'], {
    lastReadMessageId: 'Newest message that the participant marked as read. Absent before the first mark.',
    lastReadAt: 'Time of the latest read mark.',
  }),
  anywhereIn('chat', {
    'output.user': 'The user of the key, after the call.',
    'output.participant': 'The user in the conversation.',
    'output.participants': 'Users in the conversation, sorted by their internal id.',
  }),
  shapeIn('chat', ['createUser.body', 'getOrCreateUser.body', 'updateUser.body'], {
    name: 'Name that other participants, the bot and its members see.',
    pictureUrl: 'Address of the profile picture. A data URL is accepted.',
    profile: 'Text about the user for the bot, for example JSON with their plan. Other participants cannot read it.',
    attributes: 'Details by name that the page sets, for the bot and the inbox. They are not verified.',
  }),
];

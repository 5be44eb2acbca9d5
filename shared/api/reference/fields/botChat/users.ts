/** Users, as bots and integrations see them. */
import { anywhereIn, shapeIn } from '#shared/api/reference/fieldTexts.ts';

export const users = [
  shapeIn('botChat', ['user', 'users', 'participant', 'participants'], {
    id: 'Id of the user, `user_` and 24 characters. The user of the bot has the id of the bot.',
    createdAt: 'Time at which the user was created.',
    updatedAt: 'Time of the last change of the user. Messages do not change it.',
    tags: 'Tags by name. The tag `id` of an integration is `<alias>:id` for the bot.',
    name: 'Display name, from the channel, the integration or the user. Treat it as untrusted text.',
    pictureUrl: 'Address or data URL of the profile picture.',
    properties: 'Strings by name that bots and integrations store with the user. End users do not see them.',
    attributes: 'Strings by name that describe the user, for example `locale`. The user can read and set them.',
    contact: 'What members know of the user. Only members and the bot see and set it.',
    'contact.name': 'Name that members gave the user. The inbox shows it instead of `name`.',
    'contact.email': 'Email address.',
    'contact.phone': 'Telephone number, in any notation.',
    'contact.company': 'Company or organization.',
    'contact.jobTitle': 'Position at the company.',
    'contact.location': 'City, region or address.',
    'contact.about': 'Free text about the user.',
    memberAccountId: 'Account of the member whom this user represents in handoffs. Only the platform sets it.',
  }),
  shapeIn('botChat', ['createUser.body', 'getOrCreateUser.body', 'initializeIncomingMessage.body.user'], {
    tags: 'Tags by name. Get-or-create finds the user by them. An integration omits its alias.',
    integrationName:
      'Alias of the integration to which the user belongs. Default: the caller, or the oldest installation.',
    name: 'Display name of the user.',
    pictureUrl: 'Address or data URL of the profile picture.',
    properties: 'Strings by name to store with the user.',
    attributes: 'Strings by name that describe the user, for example `locale`.',
  }),
  shapeIn('botChat', ['updateUser.body'], {
    tags: 'Tags to set, by name. Null or an empty value removes a tag. Others do not change.',
    name: 'New display name. Null removes it.',
    pictureUrl: 'New address or data URL of the picture. Null removes it.',
    properties: 'Properties to set, by name. Null removes one.',
    attributes: 'Attributes to set, by name. Null removes one.',
  }),
  shapeIn('botChat', ['updateUserContact.body'], {
    name: 'Name that the inbox shows instead of the own name of the user. Null removes it.',
    email: 'Email address. Null removes it.',
    phone: 'Telephone number, in any notation. Null removes it.',
    company: 'Company or organization. Null removes it.',
    jobTitle: 'Position at the company. Null removes it.',
    location: 'City, region or address. Null removes it.',
    about: 'Free text about the user. Null removes it.',
  }),
  anywhereIn('botChat', {
    'output.user': 'The user after the call.',
    'output.users': 'Users that match the filters.',
    'output.participant': 'The user in the conversation.',
    'output.participants': 'Users in the conversation.',
  }),
  shapeIn('botChat', ['addParticipant.body'], { userId: 'User to add to the conversation.' }),
];

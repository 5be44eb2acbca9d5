/** Conversations, as bots and integrations see them. */
import { anywhereIn, shapeIn } from '#shared/api/reference/fieldTexts.ts';

export const conversations = [
  shapeIn('botChat', ['conversation', 'conversations'], {
    id: 'Id of the conversation, `convo_` and 22 characters.',
    createdAt: 'Time at which the conversation was created.',
    updatedAt: 'Time of the latest activity: a message, an event or a change of the conversation.',
    channel: 'Channel of the integration, for example `channel` of a chat.',
    integration: 'Alias of the integration to which the conversation belongs. Empty if none was installed.',
    tags: 'Tags by name. The tag `id` of an integration is `<alias>:id` for the bot.',
    messageCount: 'Number of messages in the conversation, without scheduled ones.',
    currentTaskId: 'Id of a task that the bot set with `updateConversation`. The platform does not interpret it.',
    currentWorkflowId: 'Active workflow that was started in the conversation last.',
    properties: 'Strings by name that bots and integrations store with the conversation.',
    labelIds:
      'Labels of the conversation, see `listInboxLabels`. Only members and the bot see them. Ignore unknown ids, whose labels were deleted.',
  }),
  shapeIn(
    'botChat',
    ['createConversation.body', 'getOrCreateConversation.body', 'initializeIncomingMessage.body.conversation'],
    {
      channel: 'Channel of the integration to which the conversation belongs.',
      tags: 'Tags by name. Get-or-create finds the conversation by them. An integration omits its alias.',
      properties: 'Strings by name to store with the conversation.',
    },
  ),
  shapeIn('botChat', ['getOrCreateConversation.body', 'initializeIncomingMessage.body.conversation'], {
    integrationName:
      'Alias of the integration to which the conversation belongs. Default: the caller, or the oldest installation.',
  }),
  shapeIn('botChat', ['createConversation.body'], {
    integrationName: 'Deprecated: alias of the integration. Send it in `x-integration-alias` instead.',
  }),
  shapeIn('botChat', ['updateConversation.body'], {
    currentTaskId: 'Id of a task, chosen by the bot. The platform does not interpret it.',
    tags: 'Tags to set, by name. Null or an empty value removes a tag. Others do not change.',
    properties: 'Properties to set, by name. Null removes one.',
  }),
  anywhereIn('botChat', {
    'output.conversation': 'The conversation after the call.',
    'output.conversations': 'Conversations that match the filters.',
    discriminateByTags:
      'Names of the tags that identify the record. Without it, a record matches if it has exactly the given tags.',
  }),
];

/** Handoffs of conversations to members, notes and saved replies. */
import { anywhereIn, shapeIn } from '#shared/api/reference/fieldTexts.ts';

const PERSON = {
  type: 'Kind of the author: the `bot`, a `member`, a `user`, or the `system`, which assigns automatically.',
  id: 'Id of the bot, the account of the member, the id of the user, or `system`.',
  name: 'Name at the time of the change.',
};

const UPLOADED = {
  'file.id': 'Id of the file, `file_` and 24 characters.',
  'file.botId': 'Bot to whose storage the file belongs.',
  'file.key': 'Name of the file with the user id of the assignee before it.',
  'file.size': 'Number of bytes. Null until the content has arrived.',
  'file.contentType': 'Media type with which the content must be uploaded.',
  'file.tags': 'Always empty.',
  'file.createdAt': 'Time of the call.',
  'file.updatedAt': 'Time of the last change of the file.',
  'file.accessPolicies': 'Policies of the file. Empty: anyone with the address in `url` can read it.',
  'file.index': 'Always false.',
  'file.status': 'Progress of the upload: `upload_pending` until the content has arrived.',
  'file.expiresAt': 'Time at which the platform deletes the file, 30 days after the call.',
  'file.url': 'Address of the content, readable by anyone who has it until the file expires.',
  'file.uploadUrl': 'Address to which the client sends the content by `PUT`, within one hour.',
};

export const handoffs = [
  shapeIn('botChat', ['handoff', 'handoffs'], {
    id: 'Id of the handoff, `handoff_` and 32 characters.',
    conversationId: 'Conversation that is handed over.',
    status: 'State: `waiting` in the queue, `served` by `member`, or `closed`.',
    reason: 'Reason that the caller gave at the start.',
    startedAt: 'Time at which the handoff started.',
    priority: 'Place in the queue: `urgent`, `high`, `normal` or `low`, each sorted by the start.',
    startedBy: 'Bot or member who started the handoff.',
    member: 'Member to whom the conversation is assigned, or was at the end. Absent while waiting.',
    'member.id': 'Account of the member.',
    'member.name': 'Display name of the member at the time of the assignment.',
    'member.userId': 'User in whose name the member replies in this conversation.',
    servedAt: 'Time of the latest assignment. Absent while waiting.',
    assignedBy: 'Bot, member or `system` (automatic assignment) that made the latest assignment. Absent while waiting.',
    endedAt: 'Time at which the handoff was closed.',
    endedBy: 'Bot, member or user who closed the handoff.',
    rating: 'Latest rating of the end user. Only on closed handoffs.',
    'rating.value': 'Rating from 1 to 5, where 5 is the best.',
    'rating.comment': 'Comment of the end user.',
    'rating.ratedAt': 'Time of the rating.',
    'rating.userId': 'User who rated the handoff.',
    outcome:
      'Outcome that the caller of `endHandoff` stated: `handedBack` or `resolved`. Absent if the handoff ended automatically.',
    snoozedUntil: 'Time at which the handoff returns to the lists. Only while it is snoozed.',
    latestSnooze: 'Latest snooze, also after its end.',
    'latestSnooze.by': 'Bot or member who snoozed the handoff.',
    'latestSnooze.at': 'Time of the call.',
    'latestSnooze.until': 'Time until which the handoff was snoozed.',
    'latestSnooze.endedAt': 'Time at which the snooze ended. Absent while the handoff is snoozed.',
    updatedAt: 'Time of the last change of status, member or snooze.',
    updatedBy: 'Bot, member or user who made this change. Absent on handoffs that an earlier release changed last.',
    lastUserMessageAt: 'Time of the last message of a user since the start. Follows the message within seconds.',
    isUnread: 'True from the message of a user, or the end of a snooze, until the member replies or marks it as read.',
  }),
  shapeIn('botChat', ['startedBy', 'assignedBy', 'endedBy', 'updatedBy', 'latestSnooze.by', 'author'], PERSON),
  shapeIn('botChat', ['handoffs'], {
    preview: 'Latest message and its conversation partner. Only with `preview=true`.',
  }),
  shapeIn('botChat', ['handoffs', 'customers.conversations', 'results.conversation'], {
    'preview.labelIds':
      'Labels of the conversation, see `listInboxLabels`. Ignore unknown ids, whose labels were deleted. Absent without any.',
    'preview.user': 'User of the conversation who wrote last.',
    'preview.user.id': 'Id of the user.',
    'preview.user.name': 'Display name of the user.',
    'preview.user.pictureUrl': 'Address or data URL of the profile picture.',
    'preview.lastMessage': 'Latest message of the conversation. May be a second late.',
    'preview.lastMessage.id': 'Id of the message.',
    'preview.lastMessage.createdAt': 'Time of the message.',
    'preview.lastMessage.author': 'Kind of the author: the `user`, the `bot` or a `member`.',
    'preview.lastMessage.userId': 'User in whose name the message was written.',
    'preview.lastMessage.type': 'Kind of the payload, for example `image`.',
    'preview.lastMessage.text': 'Beginning of the text, up to 200 characters. Absent in messages without text.',
  }),
  anywhereIn('botChat', {
    'output.handoff': 'The handoff after the call.',
    'output.handoffs': 'Handoffs that match the filters.',
    outcome:
      '`resolved` if the request is finished, `handedBack` (default) if the bot should continue with it. The bot receives it in `handoff_ended`.',
    servedBy:
      'Account of the member whom the caller replaces. The call returns 409 if another one is assigned by then.',
  }),
  shapeIn('botChat', ['countInboxHandoffs.output'], {
    'counts.mentions': 'Unread mentions of the caller in notes of all bots, up to 100.',
  }),
  shapeIn('botChat', ['snoozeHandoff.body'], {
    until: 'Time at which the handoff returns to the lists, 1 minute to 90 days ahead. Null ends the snooze.',
  }),
  shapeIn('botChat', ['setHandoffPriority.body'], { priority: 'Place in the queue.' }),
  shapeIn('botChat', ['assignHandoff.body'], {
    accountId: 'Account of the new assignee. Default: the caller. Null returns the conversation to the queue.',
  }),
  shapeIn('botChat', ['startHandoff.body'], {
    priority: 'Place in the queue. Default: `normal`. Ignored if a handoff is open.',
    conversationId: 'Conversation to hand over.',
    reason: 'Text for the members, which explains why the conversation needs them.',
    accountId: 'Account of the member to assign. Default: the conversation waits in the queue.',
  }),
  shapeIn('botChat', ['countHandoffs.output', 'countInboxHandoffs.output'], {
    counts: 'Numbers of open handoffs, each up to 100.',
    'counts.waiting': 'Conversations in the queue.',
    'counts.served': 'Conversations that are assigned to a member.',
    'counts.mine': 'Conversations that are assigned to the caller.',
    'counts.unread': 'Unread conversations that are assigned to the caller.',
    'counts.snoozed': 'Snoozed conversations, up to 100.',
  }),
  shapeIn('botChat', ['countInboxHandoffs.output'], {
    countedAt: 'Time at which the counting started. The counts may lack changes of the second before it.',
    isPartial: 'True if the workspace has more bots than the counts, lists and connections of the inbox cover.',
  }),
  shapeIn('botChat', ['listInboxHandoffs.output.handoffs'], { botId: 'Bot of the conversation.' }),
  shapeIn('botChat', ['listHandoffs.output.meta'], {
    version: 'Version of the page. Send it with the same filters to learn whether anything changed.',
    isUnchanged: 'True if the page still has the `version` of the request. The list is then empty.',
  }),
  shapeIn('botChat', ['markHandoffRead.body'], {
    messageId: 'Newest message that the assignee has read. A mark never moves backwards.',
  }),
  shapeIn('botChat', ['createFileInHandoff.body'], {
    key: 'Name of the file, unique among the files of the assignee. It becomes `<userId>/<key>`.',
    size: 'Exact number of bytes that the client uploads to `uploadUrl`: up to 25 MB.',
    contentType: 'Media type of the content. Default: derived from the extension of `key`.',
  }),
  shapeIn('botChat', ['createFileInHandoff.output'], {
    file: 'The announced file. It has no content until the upload.',
    ...UPLOADED,
  }),
  shapeIn('botChat', ['showTypingInHandoff.body'], {
    isTyping: 'True while the member types: repeat it every few seconds. False removes the indicator.',
  }),
];

export const notes = [
  shapeIn('botChat', ['note', 'notes'], {
    id: 'Id of the note, `note_` and 32 characters.',
    conversationId: 'Conversation that the note is about.',
    createdAt: 'Time at which the note was written.',
    author: 'Bot or member who wrote the note.',
    text: 'Text of the note. End users and integrations never receive it.',
  }),
  shapeIn('botChat', ['createNote.body'], { text: 'Text of the note, for the bot and its members.' }),
  anywhereIn('botChat', {
    'output.note': 'The new note.',
    'output.mentions': 'Mentions of the caller, newest first. Those in deleted notes are omitted.',
    'output.notes': 'Notes about the conversation, newest first.',
  }),
  shapeIn('botChat', ['note', 'notes'], {
    mentions: 'Members whom the note mentions.',
    'mentions.id': 'Account of the member.',
    'mentions.name': 'Name of the member at the time of the note.',
  }),
  shapeIn('botChat', ['createNote.body'], {
    mentions: 'Accounts of members to notify, with a role that may read notes. The author is not notified.',
  }),
  shapeIn('botChat', ['markMentionsRead.body'], { noteIds: 'Notes whose mentions of the caller are read.' }),
  shapeIn('botChat', ['listMentions.output.mentions'], {
    noteId: 'Note that mentions the caller.',
    botId: 'Bot of the conversation.',
    conversationId: 'Conversation of the note.',
    createdAt: 'Time of the note.',
    author: 'Author of the note.',
    excerpt: 'Beginning of the note, up to 200 characters.',
    readAt: 'Time at which the caller marked the mention as read. Absent while it is unread.',
    user: 'User of the conversation who wrote last.',
    'user.id': 'Id of the user.',
    'user.name': 'Display name of the user.',
    'user.pictureUrl': 'Address or data URL of the profile picture.',
  }),
  shapeIn('botChat', ['savedReply', 'savedReplies'], {
    id: 'Id of the saved reply, `reply_` and 22 characters.',
    scope: 'Bots that have the reply: this `bot`, or all of the `workspace`.',
    name: 'Name by which members find the reply.',
    text: 'Text that members insert into a message. The console fills variables such as `{{user.firstName}}`.',
    createdAt: 'Time at which the reply was saved.',
    updatedAt: 'Time of the last change of the name or text.',
  }),
  shapeIn('botChat', ['createSavedReply.body'], {
    scope: 'Bots that have the reply: this `bot` (default), or all of the `workspace`. Cannot be changed later.',
  }),
  shapeIn('botChat', ['createSavedReply.body', 'updateSavedReply.body'], {
    name: 'Name by which members find the reply.',
    text: 'Text that members insert into a message. The console fills variables such as `{{user.firstName}}`.',
  }),
  anywhereIn('botChat', {
    'output.savedReply': 'The saved reply after the call.',
    'output.savedReplies': 'Saved replies of the bot and of its workspace, newest first.',
  }),
];

/** Types of the operations that the official client lacks. Type imports add no code to the bundle. */
import type * as z from 'zod/mini';
import type * as admin from '#functions/admin/index.ts';
import type * as botChat from '#functions/botChat/index.ts';

type Operations = typeof admin & typeof botChat;
export type OperationName = keyof Operations;

type Part<Name extends OperationName, Key extends 'body' | 'query'> = Operations[Name] extends {
  [K in Key]?: infer Schema;
}
  ? NonNullable<Schema> extends z.ZodMiniType
    ? z.input<NonNullable<Schema>>
    : undefined
  : undefined;
export type Body<Name extends OperationName> = Part<Name, 'body'>;
type Query<Name extends OperationName> = Part<Name, 'query'>;
export type Output<Name extends OperationName> = z.infer<Operations[Name]['output']>;

export type Handoff = Output<'getHandoff'>['handoff'];
/** A handoff in a list, with what a row shows of its conversation. */
export type HandoffRow = Output<'listHandoffs'>['handoffs'][number];
export type HandoffCounts = Output<'countInboxHandoffs'>['counts'];
export type Report = Output<'getInboxReport'>['report'];
/** A handoff of the inbox, with its bot and what its row shows. */
export type InboxRow = Output<'listInboxHandoffs'>['handoffs'][number];
/** A user who was found, with the latest conversations. */
export type Customer = Output<'searchInbox'>['customers'][number];
export type FoundConversation = Customer['conversations'][number];
/** A conversation with a message that contains a text. */
export type FoundMessage = Output<'searchInboxMessages'>['results'][number];
export type Agent = Output<'listInboxAgents'>['agents'][number];
export type InboxSettings = Output<'getInboxSettings'>['settings'];
export type InboxLabel = Output<'listInboxLabels'>['labels'][number];
export type Contact = NonNullable<Output<'getUser'>['user']['contact']>;
export interface InboxFilters {
  status?: (Handoff['status'] | 'snoozed')[];
  accountId?: string;
  isUnread?: boolean;
}
/** A member or the bot, with the name at the time of a change, or a customer who left. */
export type Actor = Handoff['startedBy'];
/** State of the endpoint of a bot or an installation. */
export type Endpoint = Output<'listBotEndpoints'>['endpoints'][number];
export type PendingDelivery = Output<'listPendingDeliveries'>['deliveries'][number];
/** A version of a bot, with the fields that extend the contract. */
export type Version = Output<'listBotVersions'>['versions'][number];
export type ListedBot = Output<'listBots'>['bots'][number];
/** Presence of the visitor and of members in a conversation. */
export type Presence = Output<'getPresence'>;
export type Note = Output<'listNotes'>['notes'][number];
export type Mention = Output<'listMentions'>['mentions'][number];
export type SavedReply = Output<'listSavedReplies'>['savedReplies'][number];
export type HandoffFilters = Omit<
  Query<'listHandoffs'>,
  'nextToken' | 'version' | 'pageSize' | 'isUnread' | 'preview'
> & {
  pageSize?: number;
  isUnread?: boolean;
  preview?: boolean;
};

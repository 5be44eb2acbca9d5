import * as z from 'zod/mini';
import { trusted } from '#shared/api/verbatim.ts';
import { dateTime, iso } from '#shared/api/views.ts';
import { ExtendedPayload } from '#shared/domain/messaging/chatPayload.ts';
import type { Conversation } from '#shared/storage/dynamodb/chat/conversations.ts';
import type { Handoff } from '#shared/storage/dynamodb/chat/handoffs.ts';
import type { Participant } from '#shared/storage/dynamodb/chat/participants.ts';
import type { User } from '#shared/storage/dynamodb/chat/users.ts';
import type { Webhook } from '#shared/storage/dynamodb/chat/webhooks.ts';

export const UserView = z.object({
  id: z.string(),
  name: z.optional(z.string()),
  pictureUrl: z.optional(z.string()),
  profile: z.optional(z.string()),
  createdAt: dateTime(),
  updatedAt: dateTime(),
  // Only for the user themselves, in installations with `payloadExtensions`.
  data: z.optional(z.record(z.string(), z.any())),
  attributes: z.optional(z.record(z.string(), z.string())),
});

const viewUser = (user: User): z.infer<typeof UserView> => ({
  id: user.foreignId ?? user.id,
  name: user.name,
  pictureUrl: user.pictureUrl,
  profile: user.profile,
  createdAt: iso(user.createdAtMs),
  updatedAt: iso(user.updatedAtMs),
});

export const viewSelf = (
  { payloadExtensions }: Pick<Webhook, 'payloadExtensions'>,
  user: User,
): z.infer<typeof UserView> => ({
  ...viewUser(user),
  ...(payloadExtensions && user.data !== undefined ? { data: JSON.parse(user.data) } : {}),
  ...(payloadExtensions && Object.keys(user.attributes).length > 0 ? { attributes: user.attributes } : {}),
});

/** Hides the profile from other users. */
export const viewOtherUser = (user: User, viewerId: string): z.infer<typeof UserView> =>
  user.id === viewerId ? viewUser(user) : { ...viewUser(user), profile: undefined };

export const ParticipantView = z.extend(UserView, {
  lastReadMessageId: z.optional(z.string()),
  lastReadAt: z.optional(dateTime()),
});

export const viewParticipant = (
  user: User,
  participant: Participant,
  viewerId: string,
): z.infer<typeof ParticipantView> => ({
  ...viewOtherUser(user, viewerId),
  lastReadMessageId: participant.readMessageId,
  lastReadAt: participant.readAtMs === undefined ? undefined : iso(participant.readAtMs),
});

export const ConversationView = z.object({
  id: z.string(),
  createdAt: dateTime(),
  updatedAt: dateTime(),
});

/** Adds the handoff, which extends the contract: the assignee's user, or that the conversation is queued. */
export const ConversationWithHandoff = z.extend(ConversationView, {
  handoff: z.optional(z.object({ status: z.enum(['waiting', 'served']), userId: z.optional(z.string()) })),
});

export const viewHandoff = (handoff: Handoff | undefined): z.infer<typeof ConversationWithHandoff>['handoff'] =>
  handoff && handoff.status !== 'closed' ? { status: handoff.status, userId: handoff.member?.userId } : undefined;

export const viewConversation = (conversation: Conversation): z.infer<typeof ConversationView> => ({
  id: conversation.foreignId ?? conversation.id,
  createdAt: iso(conversation.createdAtMs),
  updatedAt: iso(conversation.updatedAtMs),
});

export const MessageView = z.object({
  id: z.string(),
  createdAt: dateTime(),
  payload: trusted(ExtendedPayload),
  userId: z.string(),
  conversationId: z.string(),
  metadata: z.optional(z.record(z.string(), z.any())),
  feedback: z.optional(z.object({ value: z.enum(['positive', 'negative']), comment: z.optional(z.string()) })),
});

export const EventView = z.object({
  id: z.string(),
  createdAt: dateTime(),
  payload: trusted(z.record(z.string(), z.any())),
  conversationId: z.string(),
  userId: z.string(),
});

import * as z from 'zod/mini';
import { MEGABYTE, ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { tags } from '#shared/api/platform/tagInputs.ts';
import { getOrCreateConversation, requireConversation } from '#shared/domain/botChat/botChatConversations.ts';
import {
  anything,
  channel,
  discriminators,
  id,
  integrationName,
  properties,
  typeName,
  userFields,
} from '#shared/domain/botChat/botChatInputs.ts';
import { getOrCreateUser, requireUser } from '#shared/domain/botChat/botChatUsers.ts';
import { getOrCreateMessage } from '#shared/domain/botChat/messages/getOrCreateMessage.ts';
import { contextBetween } from '#shared/domain/botChat/messages/messageContext.ts';
import { ConversationView, viewConversation } from '#shared/domain/messaging/botViews/conversationView.ts';
import { MessageView } from '#shared/domain/messaging/botViews/messageView.ts';
import { UserView, viewUser } from '#shared/domain/messaging/botViews/userView.ts';
import { foundRecord } from '#shared/domain/messaging/getOrCreate.ts';

const hasExactlyOne = (input: unknown, ...names: string[]) =>
  names.filter(name => (input as Record<string, unknown>)[name] !== undefined).length === 1;

export const initializeIncomingMessage = botChatOperation({
  name: 'initializeIncomingMessage',
  summary:
    'Gets or creates a user, a conversation and a message by their tags, in one transaction. An existing user or conversation may be given by its id.',
  scope: 'bot',
  method: 'POST',
  path: '/chat/initialize-incoming-message',
  table: 'writes',
  partitions: { reads: ['webhooks'] },
  largeValues: 'writes',
  payloadLimitBytes: MEGABYTE,
  body: z
    .object({
      userId: z.optional(id()),
      user: z.optional(
        z.object({
          tags: tags(),
          integrationName: z.optional(integrationName()),
          ...userFields,
          properties: z.optional(properties()),
          attributes: z.optional(properties()),
          discriminateByTags: discriminators(),
        }),
      ),
      conversationId: z.optional(id()),
      conversation: z.optional(
        z.object({
          channel: channel(),
          tags: tags(),
          integrationName: z.optional(integrationName()),
          properties: z.optional(properties()),
          discriminateByTags: discriminators(),
        }),
      ),
      message: z.optional(
        z.object({
          payload: anything(),
          type: typeName(),
          tags: tags(),
          origin: z.optional(z.literal('synthetic')),
          discriminateByTags: discriminators(),
        }),
      ),
    })
    .check(
      z.refine(input => hasExactlyOne(input, 'userId', 'user'), { error: 'Pass either userId or user.' }),
      z.refine(input => hasExactlyOne(input, 'conversationId', 'conversation'), {
        error: 'Pass either conversationId or conversation.',
      }),
    ),
  output: z.object({ user: UserView, conversation: ConversationView, message: z.optional(MessageView) }),
  statuses: [200],

  handle: async call => {
    const { input } = call;
    const [user, conversation] = await Promise.all([
      input.user ? getOrCreateUser(call, input.user) : requireUser(call, input.userId!).then(foundRecord),
      input.conversation
        ? getOrCreateConversation(call, input.conversation)
        : requireConversation(call, input.conversationId!).then(foundRecord),
    ]);
    const message =
      input.message &&
      (await getOrCreateMessage(
        call,
        { ...input.message, userId: user.record.id, conversationId: conversation.record.id },
        { context: await contextBetween(call, conversation, user) },
      ));
    return call.commit(
      ok({
        user: viewUser(call, user.record),
        conversation: viewConversation(call, conversation.record),
        ...(message ? { message: message.record } : {}),
      }),
      [...user.writes, ...conversation.writes, ...(message?.writes ?? [])],
    );
  },
});

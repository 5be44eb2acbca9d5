import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import {
  anything,
  channel,
  discriminators,
  id,
  integrationName,
  properties,
  tags,
  typeName,
  userFields,
} from '#shared/api/platform/inputs.ts';
import { botChatOperation } from '#shared/api/platform/operation.ts';
import { getOrMakeConversation, requireConversation } from '#shared/botChat/conversations.ts';
import { getOrMakeMessage, sceneOf } from '#shared/botChat/messages.ts';
import { getOrMakeUser, requireUser } from '#shared/botChat/users.ts';
import { ConversationView, viewConversation } from '#shared/botChat/views/conversation.ts';
import { MessageView } from '#shared/botChat/views/message.ts';
import { UserView, viewUser } from '#shared/botChat/views/user.ts';

const isOneOf = (input: unknown, ...names: string[]) =>
  names.filter(name => (input as Record<string, unknown>)[name] !== undefined).length === 1;

export const initializeIncomingMessage = botChatOperation({
  name: 'initializeIncomingMessage',
  summary:
    'Finds or creates a user, a conversation and a message by their tags, all together or nothing. An existing user or conversation may be named by its id.',
  scope: 'bot',
  method: 'POST',
  path: '/chat/initialize-incoming-message',
  table: 'writes',
  largeValues: 'writes',
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
      z.refine(input => isOneOf(input, 'userId', 'user'), { error: 'Either userId or user must be given.' }),
      z.refine(input => isOneOf(input, 'conversationId', 'conversation'), {
        error: 'Either conversationId or conversation must be given.',
      }),
    ),
  output: z.object({ user: UserView, conversation: ConversationView, message: z.optional(MessageView) }),
  statuses: [200],

  handle: async call => {
    const { input } = call;
    const [user, conversation] = await Promise.all([
      input.user ? getOrMakeUser(call, input.user) : requireUser(call, input.userId!).then(found),
      input.conversation
        ? getOrMakeConversation(call, input.conversation)
        : requireConversation(call, input.conversationId!).then(found),
    ]);
    const message =
      input.message &&
      (await getOrMakeMessage(
        call,
        { ...input.message, userId: user.record.id, conversationId: conversation.record.id },
        { scene: await sceneOf(call, conversation, user) },
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

const found = <T>(record: T) => ({ record, isNew: false, writes: [] });

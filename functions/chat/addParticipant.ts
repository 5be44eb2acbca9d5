import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { chatOperation } from '#shared/api/operations/chat.ts';
import { notFound } from '#shared/core/errors.ts';
import { newPosition, resolveUserId } from '#shared/core/ids.ts';
import { UserView, viewOtherUser } from '#shared/domain/chat/chatViews.ts';
import { requireRoomForParticipant } from '#shared/domain/messaging/participantLimit.ts';
import { conversationMustExist } from '#shared/storage/dynamodb/chat/conversations.ts';
import { findParticipant, isParticipant, putNewParticipant } from '#shared/storage/dynamodb/chat/participants.ts';
import { appendEntry } from '#shared/storage/dynamodb/chat/timeline.ts';
import { findUser, isStandIn, userMustExist } from '#shared/storage/dynamodb/chat/users.ts';

export const addParticipant = chatOperation({
  name: 'addParticipant',
  summary: 'Adds a user to a conversation. Adding a participant again changes nothing.',
  method: 'POST',
  path: '/conversations/{conversationId}/participants',
  access: { who: 'owner', of: input => input.conversationId },
  table: 'writes',
  largeValues: 'writes',
  body: z.object({ userId: z.string() }),
  output: z.object({ participant: UserView }),
  statuses: [200],

  handle: async ({ webhook, botId, input, conversationId, participant: owner, nowMs, commit }) => {
    const userId = resolveUserId(webhook.webhookId, input.userId);
    const [user, existing] = userId
      ? await Promise.all([findUser(webhook, { id: userId }), findParticipant(botId, conversationId, userId)])
      : [];
    // The platform adds these users when the person whom they represent joins.
    if (!user || isStandIn(user)) throw notFound(`The user ${input.userId}`);

    const answer = ok({ participant: viewOtherUser(user, owner.userId) });
    if (isParticipant(existing, owner, user)) return commit(answer, []);
    await requireRoomForParticipant(botId, conversationId);

    const conversation = {
      id: conversationId,
      webhookId: webhook.webhookId,
      foreignId: owner.foreignConversationId,
      generation: owner.generation,
      createdAtMs: owner.conversationCreatedAtMs,
    };
    return commit(answer, [
      conversationMustExist(botId, conversationId, owner.generation, input.conversationId),
      userMustExist(webhook, user, input.userId),
      putNewParticipant(botId, conversation, user, { isOwner: false, nowMs }),
      appendEntry(botId, conversationId, {
        kind: 'participant_added',
        position: newPosition(),
        userId: user.id,
        foreignUserId: user.foreignId,
        generation: owner.generation,
      }),
    ]);
  },
});

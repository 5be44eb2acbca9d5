import type * as z from 'zod/mini';
import { notFound } from '#shared/core/errors.ts';
import { viewConversation, viewParticipant, viewSelf } from '#shared/domain/chat/chatViews.ts';
import { loadMessage } from '#shared/domain/chat/timelineViews.ts';
import { findConversation } from '#shared/storage/dynamodb/chat/conversations.ts';
import { isParticipant, listParticipants, type Participant } from '#shared/storage/dynamodb/chat/participants.ts';
import * as timeline from '#shared/storage/dynamodb/chat/timeline.ts';
import { findUsers, type User } from '#shared/storage/dynamodb/chat/users.ts';
import type { Webhook } from '#shared/storage/dynamodb/chat/webhooks.ts';
import { webchatMessage } from './form.ts';
import type { Init } from './webchatSignals.ts';

/** The client requests no earlier messages. Large messages shorten the page. */
const MESSAGES = 100;
const PARTICIPANTS = 100;

export async function loadInitialState(
  webhook: Webhook,
  { user, key, participant }: { user: User; key: string; participant: Participant },
): Promise<{ init: z.infer<typeof Init>; positions: string[] }> {
  const { botId } = webhook;
  const { conversationId, generation } = participant;
  const [conversation, { entries }, found] = await Promise.all([
    findConversation(botId, conversationId),
    timeline.listMessages(botId, conversationId, { limit: MESSAGES, generation: async () => generation }),
    listParticipants(botId, conversationId, { limit: PARTICIPANTS }),
  ]);
  if (conversation?.generation !== generation) throw notFound(`The conversation ${conversationId}`);
  const users = await findUsers(
    botId,
    found.map(({ userId }) => userId),
  );
  const messages = await Promise.all(entries.map(entry => loadMessage(entry, participant)));
  return {
    init: {
      type: 'init',
      data: {
        conversation: viewConversation(conversation),
        messages: messages.map(webchatMessage),
        participants: users.flatMap((each, i) =>
          each && isParticipant(found[i], participant, each) ? [viewParticipant(each, found[i]!, user.id)] : [],
        ),
        user: { ...viewSelf(webhook, user), userKey: key },
      },
    },
    positions: entries.map(({ position }) => position).reverse(),
  };
}

import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { chatOperation } from '#shared/api/operations/chat.ts';
import { meta, pageOf } from '#shared/api/views.ts';
import { listQuery, PAGE_SIZE } from '#shared/domain/chat/chatInputs.ts';
import { ParticipantView, viewParticipant } from '#shared/domain/chat/chatViews.ts';
import * as participants from '#shared/storage/dynamodb/chat/participants.ts';
import { findUsers } from '#shared/storage/dynamodb/chat/users.ts';

export const listParticipants = chatOperation({
  name: 'listParticipants',
  summary: 'Lists the participants of a conversation by internal id.',
  method: 'GET',
  path: '/conversations/{conversationId}/participants',
  access: { who: 'participant', of: input => input.conversationId },
  table: 'reads',
  query: listQuery,
  output: z.object({ participants: z.array(ParticipantView), meta }),
  statuses: [200],

  read: ({ botId, conversationId, pageStart }) =>
    participants.listParticipants(botId, conversationId, { after: pageStart, limit: PAGE_SIZE + 1 }),
  handle: async ({ botId, participant: caller, read: found, nextToken }) => {
    const { records, last } = pageOf(found, PAGE_SIZE);
    const current = records.filter(({ generation }) => generation === caller.generation);
    const users = await findUsers(
      botId,
      current.map(({ userId }) => userId),
    );
    return ok({
      participants: users.flatMap((user, i) =>
        user && participants.isParticipant(current[i], caller, user)
          ? [viewParticipant(user, current[i]!, caller.userId)]
          : [],
      ),
      meta: last ? { nextToken: nextToken(last.userId) } : {},
    });
  },
});

import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { DEFAULT_PAGE_SIZE, pageQuery } from '#shared/api/platform/queryInputs.ts';
import { meta, pageOf } from '#shared/api/views.ts';
import { requireConversation } from '#shared/domain/botChat/botChatConversations.ts';
import { UserView, viewUser } from '#shared/domain/messaging/botViews/userView.ts';
import * as participants from '#shared/storage/dynamodb/chat/participants.ts';
import { findUsers } from '#shared/storage/dynamodb/chat/users.ts';

export const listParticipants = botChatOperation({
  name: 'listParticipants',
  summary: 'Lists the participants of a conversation by id.',
  scope: 'bot',
  method: 'GET',
  path: '/chat/conversations/{id}/participants',
  table: 'reads',
  query: z.object(pageQuery),
  output: z.object({ participants: z.array(UserView), meta }),
  statuses: [200],

  handle: async call => {
    const { botId, input, pageStart, nextToken } = call;
    const { id, pageSize = DEFAULT_PAGE_SIZE } = input;
    const [conversation, found] = await Promise.all([
      requireConversation(call, id),
      participants.listParticipants(botId, id, { after: pageStart, limit: pageSize + 1 }),
    ]);
    const { records, last } = pageOf(found, pageSize);
    const current = records.filter(each => each.generation === conversation.generation);
    const users = await findUsers(
      botId,
      current.map(({ userId }) => userId),
    );
    return ok({
      participants: users.flatMap((user, i) =>
        user && participants.isParticipant(current[i], conversation, user) ? [viewUser(call, user)] : [],
      ),
      meta: last ? { nextToken: nextToken(last.userId) } : {},
    });
  },
});

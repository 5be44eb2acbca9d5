import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { requireConversation } from '#shared/domain/botChat/botChatConversations.ts';
import { PresenceView, readAttendance, viewPresence } from '#shared/domain/botChat/presence/presenceView.ts';
import { changePresence } from '#shared/domain/botChat/presence/showMember.ts';
import { MEMBER_STATES } from '#shared/storage/dynamodb/chat/memberPresence.ts';

export const showPresence = botChatOperation({
  name: 'showPresence',
  summary:
    'Shows other members that the caller views a conversation or writes, or has left. Returns who is in it, as getPresence. End users and bots receive nothing.',
  scope: 'bot',
  method: 'POST',
  path: '/chat/conversations/{id}/presence',
  table: 'writes',
  partitions: { reads: ['connections'] },
  body: z.object({ state: z.enum([...MEMBER_STATES, 'left']) }),
  output: PresenceView,
  statuses: [200],

  handle: async call => {
    const { botId, input, nowMs, commit } = call;
    const conversation = await requireConversation(call, input.id);
    const attendance = await readAttendance(botId, conversation);
    const { members, writes } = changePresence(call, conversation, attendance.members, input.state);
    return commit(ok(viewPresence({ ...attendance, members }, nowMs)), writes);
  },
});

import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { requireConversation } from '#shared/domain/botChat/botChatConversations.ts';
import { PresenceView, readAttendance, viewPresence } from '#shared/domain/botChat/presence/presenceView.ts';

export const getPresence = botChatOperation({
  name: 'getPresence',
  summary: 'Returns who is in a conversation now: the end user, with their visit, and members who have it open.',
  scope: 'bot',
  method: 'GET',
  path: '/chat/conversations/{id}/presence',
  table: 'reads',
  partitions: { reads: ['connections'] },
  output: PresenceView,
  statuses: [200],

  handle: async call => {
    const conversation = await requireConversation(call, call.input.id);
    return ok(viewPresence(await readAttendance(call.botId, conversation), call.nowMs));
  },
});

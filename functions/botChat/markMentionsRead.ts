import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { id } from '#shared/domain/botChat/botChatInputs.ts';
import { findUnread, markMentionRead } from '#shared/storage/dynamodb/chat/mentions.ts';

/** Each is a write of one transaction. */
const MAX_NOTES = 50;

export const markMentionsRead = botChatOperation({
  name: 'markMentionsRead',
  summary: "Marks the caller's mentions in notes as read. Notes that do not mention the caller are ignored.",
  scope: 'account',
  method: 'PUT',
  path: '/chat/inbox/mentions/read',
  table: 'writes',
  partitions: { reads: ['workspaces', 'mentions'], appends: ['mentions'] },
  body: z.object({ noteIds: z.array(id()).check(z.minLength(1), z.maxLength(MAX_NOTES)) }),
  output: z.object({}),
  statuses: [200],

  handle: async ({ input, workspaceId, account, nowMs, commit }) => {
    const unread = await findUnread(workspaceId, account.id, input.noteIds);
    return commit(
      ok({}),
      unread.map(noteId => markMentionRead(workspaceId, account.id, noteId, nowMs)),
    );
  },
});

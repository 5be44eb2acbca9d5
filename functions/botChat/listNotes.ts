import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { DEFAULT_PAGE_SIZE, pageQuery } from '#shared/api/platform/queryInputs.ts';
import { meta } from '#shared/api/views.ts';
import { requireConversation } from '#shared/domain/botChat/botChatConversations.ts';
import { NoteView, viewNote } from '#shared/domain/botChat/handoffs/noteView.ts';
import * as notes from '#shared/storage/dynamodb/chat/notes.ts';
import { END, pageOfList } from '#shared/storage/dynamodb/lists/lists.ts';

export const listNotes = botChatOperation({
  name: 'listNotes',
  summary: 'Lists the notes about a conversation, newest first.',
  scope: 'bot',
  method: 'GET',
  path: '/chat/conversations/{conversationId}/notes',
  table: 'reads',
  query: z.object(pageQuery),
  output: z.object({ notes: z.array(NoteView), meta }),
  statuses: [200],

  handle: async call => {
    const { botId, input, pageStart, nextToken } = call;
    const { id, generation } = await requireConversation(call, input.conversationId);
    async function* current() {
      const range = { direction: 'desc' as const, first: '', last: END, after: pageStart };
      for await (const { sortKey, record } of notes.listNotes(botId, id, range)) {
        yield { sortKey, record: (record.generation ?? 0) === generation ? record : undefined };
      }
    }
    const { records, next } = await pageOfList(current(), input.pageSize ?? DEFAULT_PAGE_SIZE);
    return ok({ notes: records.map(viewNote), meta: next ? { nextToken: nextToken(next) } : {} });
  },
});

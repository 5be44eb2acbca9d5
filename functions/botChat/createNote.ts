import * as z from 'zod/mini';
import { created } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { newPosition, timelineId } from '#shared/core/ids.ts';
import { text } from '#shared/core/text.ts';
import { requireConversation } from '#shared/domain/botChat/botChatConversations.ts';
import { id } from '#shared/domain/botChat/botChatInputs.ts';
import { actorOf } from '#shared/domain/botChat/handoffs/handoffMembers.ts';
import { MAX_MENTIONS, mentionWrites, requireMentioned } from '#shared/domain/botChat/handoffs/mentions.ts';
import { NoteView, viewNote } from '#shared/domain/botChat/handoffs/noteView.ts';
import { conversationMustExist } from '#shared/storage/dynamodb/chat/conversations.ts';
import { putNewNote } from '#shared/storage/dynamodb/chat/notes.ts';

export const createNote = botChatOperation({
  name: 'createNote',
  summary:
    'Creates a note about a conversation, and notifies the members whom it mentions. End users and integrations cannot read it.',
  scope: 'bot',
  method: 'POST',
  path: '/chat/conversations/{conversationId}/notes',
  table: 'writes',
  partitions: { appends: ['mentions'] },
  body: z.object({
    text: text(10_000).check(z.minLength(1)),
    mentions: z.optional(z.array(id()).check(z.maxLength(MAX_MENTIONS))),
  }),
  output: z.object({ note: NoteView }),
  statuses: [201],

  handle: async call => {
    const { botId, input, commit } = call;
    const { id: conversationId, generation } = await requireConversation(call, input.conversationId);
    const mentions = await requireMentioned(call, input.mentions ?? []);
    const note = {
      id: timelineId('note', conversationId, newPosition()),
      conversationId,
      text: input.text,
      author: actorOf(call),
      mentions: mentions.length > 0 ? mentions : undefined,
      generation: generation || undefined,
    };
    return commit(created({ note: viewNote(note) }), [
      conversationMustExist(botId, conversationId, generation, conversationId),
      putNewNote(botId, note),
      ...mentionWrites(call, note),
    ]);
  },
});

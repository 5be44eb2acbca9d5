import * as z from 'zod/mini';
import { dateTime, iso } from '#shared/api/views.ts';
import { Actor } from '#shared/storage/dynamodb/chat/handoffs.ts';
import { type Note, noteCreatedAtMs } from '#shared/storage/dynamodb/chat/notes.ts';

export const NoteView = z.object({
  id: z.string(),
  conversationId: z.string(),
  createdAt: dateTime(),
  author: Actor,
  text: z.string(),
  mentions: z.optional(z.array(z.object({ id: z.string(), name: z.string() }))),
});

export const viewNote = (note: Note): z.infer<typeof NoteView> => ({
  id: note.id,
  conversationId: note.conversationId,
  createdAt: iso(noteCreatedAtMs(note)),
  author: note.author,
  text: note.text,
  mentions: note.mentions,
});

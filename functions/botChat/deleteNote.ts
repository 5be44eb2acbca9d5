import * as z from 'zod/mini';
import { requireOwn } from '#shared/api/auth/callerLimits.ts';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { callerIdOf } from '#shared/api/platform/callerIdOf.ts';
import { notFound } from '#shared/core/errors.ts';
import { canSee } from '#shared/domain/messaging/callerScope.ts';
import { findNote, removeNote } from '#shared/storage/dynamodb/chat/notes.ts';

export const deleteNote = botChatOperation({
  name: 'deleteNote',
  summary: 'Deletes a note. Managers and above may delete those of others.',
  scope: 'bot',
  method: 'DELETE',
  path: '/chat/notes/{id}',
  table: 'writes',
  output: z.object({}),
  statuses: [200],

  handle: async call => {
    const { botId, input, commit } = call;
    const missing = () => notFound(`The note ${input.id}`);
    const found = await findNote(botId, input.id);
    if (!found || !canSee(call, found.conversation)) throw missing();
    const { note } = found;
    requireOwn(call, note.author.id === callerIdOf(call.principal));
    return commit(ok({}), [removeNote(botId, note, missing)]);
  },
});

import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { id } from '#shared/domain/botChat/botChatInputs.ts';
import { markHandoffRead as mark } from '#shared/domain/botChat/handoffs/markHandoffRead.ts';
import { AlreadyRead } from '#shared/storage/dynamodb/chat/readMarks.ts';

export const markHandoffRead = botChatOperation({
  name: 'markHandoffRead',
  summary:
    'Marks messages as read by the assignee of a conversation, up to the given one. The mark only moves forward.',
  scope: 'bot',
  method: 'PUT',
  path: '/chat/handoffs/{id}/read',
  table: 'writes',
  body: z.object({ messageId: id() }),
  output: z.object({}),
  statuses: [200],

  handle: async call => {
    try {
      return await call.commit(ok({}), await mark(call, call.input.id, call.input.messageId));
    } catch (error) {
      // Another device of the caller marked a later message concurrently.
      if (error instanceof AlreadyRead) return ok({});
      throw error;
    }
  },
});

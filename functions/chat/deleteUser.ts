import * as z from 'zod/mini';
import { userOf } from '#shared/api/caller.ts';
import { ok } from '#shared/api/operation.ts';
import { chatOperation } from '#shared/api/operations/chat.ts';
import { endUser } from '#shared/domain/messaging/endUser.ts';

export const deleteUser = chatOperation({
  name: 'deleteUser',
  summary: 'Deletes the calling user and removes them from all conversations. Their messages remain.',
  method: 'DELETE',
  path: '/users/me',
  access: { who: 'user' },
  table: 'writes',
  partitions: { writes: ['tags'] },
  output: z.object({}),
  statuses: [200],

  handle: async ({ webhook, caller, nowMs, deadlineMs }) => {
    await endUser(webhook, userOf(caller), { shownId: caller.shownId, nowMs, deadlineMs });
    return ok({});
  },
});

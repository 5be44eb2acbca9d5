import * as z from 'zod/mini';
import { rightsOf } from '#shared/api/chat/listenerRights.ts';
import { ok } from '#shared/api/operation.ts';
import { chatOperation } from '#shared/api/operations/chat.ts';
import { isPosition } from '#shared/core/ids.ts';
import { openListener } from '#shared/domain/connections/openConnection.ts';

export const connectListener = chatOperation({
  name: 'connectListener',
  summary: 'Opens a WebSocket that receives the signals of a conversation.',
  method: 'GET',
  path: '/conversations/{id}/listen',
  access: { who: 'participant', of: input => input.id },
  table: 'writes',
  partitions: { writes: ['connections', 'connectionSubjects'] },
  sends: ['connections', 'pushes'],
  query: z.object({
    isResumable: z.enum(['true', 'false']),
    after: z.optional(z.string().check(z.refine(isPosition, 'after must be the id of a frame.'))),
  }),
  output: z.object({}),
  statuses: [200],

  handle: async call => {
    const { participant, input } = call;
    const isResumable = input.isResumable === 'true';
    await openListener(call, { participant, rights: rightsOf(call), isResumable, after: input.after });
    return ok({});
  },
});

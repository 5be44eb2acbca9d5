import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { openWatcher } from '#shared/domain/connections/openConnection.ts';

export const connectWatcher = botChatOperation({
  name: 'connectWatcher',
  summary: 'Opens a WebSocket that receives notices of changes to a bot.',
  method: 'GET',
  path: '/watch',
  scope: 'bot',
  table: 'writes',
  partitions: { writes: ['connections', 'connectionSubjects'] },
  sends: ['connections'],
  output: z.object({}),
  statuses: [200],

  handle: async call => {
    await openWatcher(call, { botId: call.botId });
    return ok({});
  },
});

import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { notFound } from '#shared/core/errors.ts';
import { MAX_INBOX_BOTS } from '#shared/domain/botChat/handoffs/queryInbox.ts';
import { openWatcher } from '#shared/domain/connections/openConnection.ts';
import { listBotIds } from '#shared/storage/dynamodb/bots/bots.ts';

export const connectInboxWatcher = botChatOperation({
  name: 'connectInboxWatcher',
  summary: 'Opens a WebSocket that receives notices of changes to the bots of a workspace.',
  method: 'GET',
  path: '/inbox/watch',
  scope: 'account',
  table: 'writes',
  partitions: { reads: ['workspaces', 'workspaceLists'], writes: ['connections', 'connectionSubjects'] },
  sends: ['connections'],
  output: z.object({}),
  statuses: [200],

  handle: async call => {
    const [first, ...others] = await listBotIds(call.workspaceId, MAX_INBOX_BOTS);
    if (first === undefined) throw notFound('A bot of the workspace');
    await openWatcher({ ...call, principal: { kind: 'account', account: call.account } }, [first, ...others]);
    return ok({});
  },
});

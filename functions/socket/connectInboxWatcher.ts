import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { own } from '#shared/core/own.ts';
import { inboxBots } from '#shared/domain/botChat/handoffs/queryInbox.ts';
import { openWatcher } from '#shared/domain/connections/openConnection.ts';
import { botLimitOf, rereadAccount } from '#shared/storage/dynamodb/workspace/accounts.ts';

export const connectInboxWatcher = botChatOperation({
  name: 'connectInboxWatcher',
  summary: 'Opens a WebSocket that receives notices of changes to the bots of a workspace.',
  method: 'GET',
  path: '/inbox/watch',
  scope: 'account',
  table: 'writes',
  partitions: {
    reads: ['workspaces', 'workspaceLists'],
    writes: ['connections', 'connectionSubjects'],
  },
  sends: ['connections'],
  output: z.object({}),
  statuses: [200],

  handle: async call => {
    const { workspaceId, account } = call;
    // The call's account may be half a minute old. A notice of a bot that the agent has lost would close the
    // connection.
    const membership = own((await rereadAccount(account)).memberships, workspaceId);
    const { botIds } = await inboxBots({ workspaceId, botLimit: membership && botLimitOf(membership) });
    await openWatcher({ ...call, principal: { kind: 'account', account } }, { workspaceId, botIds });
    return ok({});
  },
});

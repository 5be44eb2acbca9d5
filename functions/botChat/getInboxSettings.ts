import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { findInboxSettings, InboxSettings } from '#shared/storage/dynamodb/agents/inboxSettings.ts';

export const getInboxSettings = botChatOperation({
  name: 'getInboxSettings',
  summary: 'Gets the settings of the inbox of the workspace.',
  scope: 'account',
  method: 'GET',
  path: '/chat/inbox/settings',
  table: 'reads',
  partitions: { reads: ['agents', 'workspaces'] },
  output: z.object({ settings: InboxSettings }),
  statuses: [200],

  handle: async ({ workspaceId }) => ok({ settings: await findInboxSettings(workspaceId) }),
});

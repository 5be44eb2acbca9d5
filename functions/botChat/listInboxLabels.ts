import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { findInboxLabels, InboxLabel } from '#shared/storage/dynamodb/agents/inboxLabels.ts';

export const listInboxLabels = botChatOperation({
  name: 'listInboxLabels',
  summary: 'Lists the labels of the workspace, at most 100, in the order of their creation.',
  scope: 'account',
  method: 'GET',
  path: '/chat/inbox/labels',
  table: 'reads',
  partitions: { reads: ['agents', 'workspaces'] },
  output: z.object({ labels: z.array(InboxLabel) }),
  statuses: [200],

  handle: async ({ workspaceId }) => ok({ labels: (await findInboxLabels(workspaceId)).labels }),
});

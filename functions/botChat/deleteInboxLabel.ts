import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { auditLabel, requireLabel } from '#shared/domain/botChat/inboxLabels.ts';
import { findInboxLabels, putInboxLabels } from '#shared/storage/dynamodb/agents/inboxLabels.ts';

export const deleteInboxLabel = botChatOperation({
  name: 'deleteInboxLabel',
  summary: 'Deletes a label. Conversations keep its id, which no longer has a meaning.',
  scope: 'account',
  method: 'DELETE',
  path: '/chat/inbox/labels/{id}',
  table: 'writes',
  partitions: { reads: ['workspaces'], writes: ['agents'], appends: ['audit'] },
  output: z.object({}),
  statuses: [200],

  handle: async call => {
    const { input, workspaceId, commit } = call;
    const before = await findInboxLabels(workspaceId);
    const label = requireLabel(before.labels, input.id);
    const labels = before.labels.filter(({ id }) => id !== label.id);
    return commit(ok({}), [putInboxLabels(workspaceId, before, labels), auditLabel(call, 'DELETE_INBOX_LABEL', label)]);
  },
});

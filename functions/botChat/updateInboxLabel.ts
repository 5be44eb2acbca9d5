import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { auditLabel, labelFields, withChangedLabel } from '#shared/domain/botChat/inboxLabels.ts';
import { findInboxLabels, InboxLabel, putInboxLabels } from '#shared/storage/dynamodb/agents/inboxLabels.ts';

export const updateInboxLabel = botChatOperation({
  name: 'updateInboxLabel',
  summary: 'Updates the name or the color of a label.',
  scope: 'account',
  method: 'PUT',
  path: '/chat/inbox/labels/{id}',
  table: 'writes',
  partitions: { reads: ['workspaces'], writes: ['agents'], appends: ['audit'] },
  body: z.partial(z.object(labelFields)),
  output: z.object({ label: InboxLabel }),
  statuses: [200],

  handle: async call => {
    const { input, workspaceId, commit } = call;
    const before = await findInboxLabels(workspaceId);
    const { labels, label } = withChangedLabel(before, input);
    return commit(ok({ label }), [
      putInboxLabels(workspaceId, before, labels),
      auditLabel(call, 'UPDATE_INBOX_LABEL', label),
    ]);
  },
});

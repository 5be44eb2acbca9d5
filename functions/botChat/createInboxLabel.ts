import * as z from 'zod/mini';
import { created } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { newLabelId } from '#shared/core/ids.ts';
import { auditLabel, labelFields, withNewLabel } from '#shared/domain/botChat/inboxLabels.ts';
import { findInboxLabels, InboxLabel, putInboxLabels } from '#shared/storage/dynamodb/agents/inboxLabels.ts';

export const createInboxLabel = botChatOperation({
  name: 'createInboxLabel',
  summary: 'Creates a label for the conversations of the workspace.',
  scope: 'account',
  method: 'POST',
  path: '/chat/inbox/labels',
  table: 'writes',
  partitions: { reads: ['workspaces'], writes: ['agents'], appends: ['audit'] },
  body: z.object(labelFields),
  output: z.object({ label: InboxLabel }),
  statuses: [201],

  handle: async call => {
    const { input, workspaceId, nowMs, commit } = call;
    const label = { id: newLabelId(nowMs), name: input.name, color: input.color };
    const before = await findInboxLabels(workspaceId);
    const labels = withNewLabel(before, label);
    return commit(created({ label }), [
      putInboxLabels(workspaceId, before, labels),
      auditLabel(call, 'CREATE_INBOX_LABEL', label),
    ]);
  },
});

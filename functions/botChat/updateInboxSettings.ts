import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { invalidPayload } from '#shared/core/errors.ts';
import {
  changeInboxSettings,
  findInboxSettings,
  InboxSettings,
} from '#shared/storage/dynamodb/agents/inboxSettings.ts';
import { auditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';

export const updateInboxSettings = botChatOperation({
  name: 'updateInboxSettings',
  summary:
    'Updates the settings of the inbox of the workspace: manual or automatic assignment, the limit of open conversations per agent, and the release of conversations of disconnected agents.',
  scope: 'account',
  method: 'PUT',
  path: '/chat/inbox/settings',
  table: 'writes',
  partitions: { reads: ['workspaces'], writes: ['agents'], appends: ['audit'] },
  body: z.partial(InboxSettings),
  output: z.object({ settings: InboxSettings }),
  statuses: [200],

  handle: async ({ input, workspaceId, account, nowMs, commit }) => {
    const { assignment, maxOpenPerAgent, releaseAfterMinutes } = input;
    const given = Object.entries({ assignment, maxOpenPerAgent, releaseAfterMinutes }).filter(
      ([, value]) => value !== undefined,
    );
    if (given.length === 0) throw invalidPayload('Name at least one setting.', 'body');
    const before = await findInboxSettings(workspaceId);
    const settings = { ...before, ...Object.fromEntries(given) };
    const value = `UPDATE_INBOX_SETTINGS ${given.map(([name, each]) => `${name} ${each ?? 'never'}`).join(', ')}`;
    return commit(ok({ settings }), [
      changeInboxSettings(workspaceId, Object.fromEntries(given)),
      putAudit(
        workspaceId,
        auditActor(account),
        { action: 'UNKNOWN', resourceId: workspaceId, resourceName: 'Inbox', value },
        nowMs,
      ),
    ]);
  },
});

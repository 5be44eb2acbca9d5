import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { dateTime, iso } from '#shared/api/views.ts';
import { AVAILABILITIES, setAvailability } from '#shared/storage/dynamodb/agents/agents.ts';

export const setInboxAvailability = botChatOperation({
  name: 'setInboxAvailability',
  summary:
    'Sets whether the caller receives automatic assignments. Away keeps the conversations that are assigned to the caller.',
  scope: 'account',
  method: 'PUT',
  path: '/chat/inbox/availability',
  table: 'writes',
  partitions: { reads: ['workspaces'], appends: ['agents'] },
  body: z.object({ availability: z.enum(AVAILABILITIES) }),
  output: z.object({ availability: z.enum(AVAILABILITIES), availabilityChangedAt: dateTime() }),
  statuses: [200],

  handle: async ({ input: { availability }, workspaceId, account, nowMs, commit }) =>
    commit(ok({ availability, availabilityChangedAt: iso(nowMs) }), [
      setAvailability(workspaceId, account.id, availability, nowMs),
    ]),
});

import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { SessionView, viewSession } from '#shared/domain/admin/sessionView.ts';
import { listSessions as readSessions } from '#shared/storage/dynamodb/workspace/sessions.ts';
import { isWithinLimitOf } from '#shared/storage/dynamodb/workspace/tokens.ts';

export const listSessions = adminOperation({
  name: 'listSessions',
  summary: 'Lists the sessions of the caller, oldest first, without their values. Needs no workspace in the header.',
  method: 'GET',
  path: '/admin/account/sessions',
  scope: 'self',
  table: 'reads',
  output: z.object({ sessions: z.array(z.extend(SessionView, { isCurrent: z.boolean() })) }),
  statuses: [200],

  handle: async ({ account, token, nowMs }) =>
    ok({
      sessions: (await readSessions(account.id, nowMs))
        .filter(session => isWithinLimitOf(token, session))
        .map(session => ({ ...viewSession(session), isCurrent: session.id === token.id })),
    }),
});

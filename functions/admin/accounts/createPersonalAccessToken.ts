import * as z from 'zod/mini';
import { created } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { note, tokenFields } from '#shared/domain/admin/adminInputs.ts';
import { grantToken, PersonalTokenView, viewPersonalToken } from '#shared/domain/admin/keys.ts';
import { auditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';
import { countToken } from '#shared/storage/dynamodb/workspace/tokens.ts';

export const createPersonalAccessToken = adminOperation({
  name: 'createPersonalAccessToken',
  summary: 'Creates a personal access token of the caller. Its value is shown only once.',
  method: 'POST',
  path: '/admin/account/pats',
  scope: 'account',
  grants: 'access',
  table: 'writes',
  body: z.object({ note: note(), ...tokenFields }),
  output: z.object({ pat: z.extend(PersonalTokenView, { value: z.string() }) }),
  statuses: [201],
  showsSecret: true,

  handle: async ({ input, account, workspaceId, token: creator, nowMs, commit }) => {
    const { value, token, write } = grantToken('pat', account.id, input, { token: creator, nowMs });
    return commit(created({ pat: { ...viewPersonalToken(token), value } }), [
      write,
      await countToken('pat', account.id),
      putAudit(
        workspaceId,
        auditActor(account),
        { action: 'UNKNOWN', resourceId: token.id, resourceName: token.note, value: 'CREATE_PERSONAL_ACCESS_TOKEN' },
        nowMs,
      ),
    ]);
  },
});

import * as z from 'zod/mini';
import { isInScope } from '#shared/api/auth/scopes.ts';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { ApiError, notFound } from '#shared/core/errors.ts';
import { listSessions } from '#shared/storage/dynamodb/workspace/sessions.ts';
import { isWithinLimitOf, removeToken } from '#shared/storage/dynamodb/workspace/tokens.ts';

export const deleteSession = adminOperation({
  name: 'deleteSession',
  summary:
    'Signs a session of the caller out. It stops working within a minute. Needs no workspace in the header. Every session may end itself, whatever its scopes are.',
  method: 'DELETE',
  path: '/admin/account/sessions/{id}',
  scope: 'token',
  grants: 'access',
  table: 'writes',
  output: z.object({}),
  statuses: [200],

  handle: async ({ input: { id }, principal, token, nowMs, commit }) => {
    if (principal.kind !== 'account')
      throw new ApiError('Forbidden', 'This operation requires the token of an account.');
    if (id !== token.id && !isInScope(token.scopes, deleteSession)) {
      throw new ApiError('Forbidden', "The token's scopes do not include deleteSession.");
    }
    const { account } = principal;
    const session = (await listSessions(account.id, nowMs)).find(
      each => each.id === id && isWithinLimitOf(token, each),
    );
    if (!session) throw notFound(`The session ${id}`);
    return commit(ok({}), [removeToken('ses', account.id, session)]);
  },
});

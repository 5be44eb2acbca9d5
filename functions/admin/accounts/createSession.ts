import * as z from 'zod/mini';
import { created } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { ApiError } from '#shared/core/errors.ts';
import { note } from '#shared/domain/admin/adminInputs.ts';
import { NewSessionView, viewSession } from '#shared/domain/admin/sessionView.ts';
import { auditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';
import { startSession } from '#shared/storage/dynamodb/workspace/sessions.ts';
import { removeToken } from '#shared/storage/dynamodb/workspace/tokens.ts';

export const createSession = adminOperation({
  name: 'createSession',
  summary:
    'Signs a person in: exchanges the token of a sign-in link, which works once, or a personal access token for a session. Its value is shown only once.',
  method: 'POST',
  path: '/admin/account/sessions',
  scope: 'token',
  grants: 'access',
  acceptsLinks: true,
  table: 'writes',
  body: z.object({ note: z.optional(note()) }),
  output: z.object({ session: NewSessionView }),
  statuses: [201],
  showsSecret: true,

  handle: async ({ input, principal, token: creator, tokenKind, nowMs, commit }) => {
    // A session that created another one would have no end.
    if (principal.kind !== 'account' || tokenKind === 'ses') {
      throw new ApiError('Forbidden', 'This operation requires a sign-in link or a personal access token.');
    }
    const { account } = principal;
    const { id: accountId } = account;
    const { limitedTo } = creator;
    const isLink = tokenKind === 'lnk';
    const { value, session, writes } = await startSession(accountId, {
      note: input.note ?? '',
      creator: isLink ? undefined : creator,
      limitedTo,
      nowMs,
    });
    return commit(created({ session: { ...viewSession(session), value } }), [
      ...writes,
      ...(isLink ? [removeToken('lnk', accountId, creator)] : []),
      ...(isLink && limitedTo
        ? [
            putAudit(
              limitedTo.workspaceId,
              auditActor(account),
              {
                action: 'UNKNOWN',
                resourceId: session.id,
                resourceName: session.note,
                value: `SIGN_IN_WITH_LINK of ${limitedTo.grantedBy.at(-1)}`,
              },
              nowMs,
            ),
          ]
        : []),
    ]);
  },
});

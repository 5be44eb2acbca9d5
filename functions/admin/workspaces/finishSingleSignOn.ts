import * as z from 'zod/mini';
import { created } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { ApiError } from '#shared/core/errors.ts';
import { text } from '#shared/core/text.ts';
import { note } from '#shared/domain/admin/adminInputs.ts';
import { NewSessionView, viewSession } from '#shared/domain/admin/sessionView.ts';
import { admit } from '#shared/domain/admin/singleSignOn/admit.ts';
import { type Claims, claimsOf, openProvider } from '#shared/domain/admin/singleSignOn/provider.ts';
import { openState } from '#shared/domain/admin/singleSignOn/signInState.ts';
import { retryConflicts, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { auditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';
import { SINGLE_SIGN_ON_SESSION_MS, startSession } from '#shared/storage/dynamodb/workspace/sessions.ts';
import {
  findSingleSignOn,
  openClientSecret,
  type SingleSignOn,
  singleSignOnMustBe,
} from '#shared/storage/dynamodb/workspace/singleSignOn.ts';

export const finishSingleSignOn = adminOperation({
  name: 'finishSingleSignOn',
  summary:
    'Signs a person in with the code of the identity provider. The session is limited to the workspace and lasts up to 12 hours. Its value is shown only once.',
  method: 'POST',
  path: '/admin/single-sign-on/finish',
  scope: 'public',
  table: 'writes',
  // Code of a member who may no longer deploy is redeployed with new keys.
  partitions: {
    writes: ['accounts', 'answers', 'bots', 'integrations', 'workspaces'],
    appends: ['audit', 'gauges', 'usage'],
  },
  callsEndpoints: true,
  body: z.object({
    state: text(4_000),
    code: text(4_000).check(z.minLength(1)),
    iss: z.optional(text(2_000)),
    note: z.optional(note()),
  }),
  output: z.object({ workspaceId: z.string(), session: NewSessionView }),
  statuses: [201],
  showsSecret: true,

  handle: async ({ input, nowMs }) => {
    const { workspaceId, singleSignOnId, redirectUri, ...secrets } = openState(input.state, nowMs);
    const settings = await findSingleSignOn(workspaceId);
    if (settings?.id !== singleSignOnId) throw changed();
    const { issuer, clientId } = settings;
    const provider = await openProvider({ issuer, clientId, clientSecret: openClientSecret(workspaceId, settings) });
    const claims = await claimsOf(provider, settings, answerOf(redirectUri, input), { ...secrets, state: input.state });
    // The code works once, so a conflict repeats only what follows.
    const { session, value } = await retryConflicts(() =>
      enter(workspaceId, claims, { ...input, singleSignOnId, nowMs }),
    );
    return created({ workspaceId, session: { ...viewSession(session), value } });
  },
});

async function enter(
  workspaceId: string,
  claims: Claims,
  { singleSignOnId, note = '', nowMs }: { singleSignOnId: string; note?: string | undefined; nowMs: number },
) {
  const settings: SingleSignOn | undefined = await findSingleSignOn(workspaceId);
  if (settings?.id !== singleSignOnId) throw changed();
  const { account, writes } = await admit(workspaceId, settings, claims, nowMs);
  const started = await startSession(account.id, {
    note,
    creator: undefined,
    limitedTo: { workspaceId, grantedBy: [], singleSignOnId },
    maxMs: SINGLE_SIGN_ON_SESSION_MS,
    nowMs,
  });
  await write([
    ...writes,
    ...started.writes,
    singleSignOnMustBe(workspaceId, settings),
    putAudit(
      workspaceId,
      auditActor(account),
      {
        action: 'UNKNOWN',
        resourceId: started.session.id,
        resourceName: note,
        value: `SIGN_IN_WITH_SINGLE_SIGN_ON of ${claims.subject}`,
      },
      nowMs,
    ),
  ]);
  return started;
}

/** Returns the address to which the provider returned. */
function answerOf(
  redirectUri: string,
  { state, code, iss }: { state: string; code: string; iss?: string | undefined },
) {
  const answer = new URL(redirectUri);
  for (const [name, value] of Object.entries({ state, code, ...(iss === undefined ? {} : { iss }) })) {
    answer.searchParams.set(name, value);
  }
  return answer;
}

const changed = () =>
  new ApiError('Unauthorized', 'The single sign-on of the workspace was changed or removed. Sign in again.');

import * as z from 'zod/mini';
import { requireUnlimited } from '#shared/api/auth/callerLimits.ts';
import { created } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { iso } from '#shared/api/views.ts';
import { environment } from '#shared/core/environment.ts';
import { installationQuery, requireInstallation } from '#shared/domain/admin/bots/requireInstallation.ts';
import { newOAuthState, putOAuthState, ROUND_TRIP_MS } from '#shared/storage/dynamodb/chat/oauthStates.ts';

export const createOAuthState = adminOperation({
  name: 'createOAuthState',
  summary:
    'Begins an OAuth round trip that connects an installation to an account at its provider. Returns the `state` to send to the provider, valid for 15 minutes and in one browser, and the redirect URL of the provider.',
  method: 'POST',
  path: '/admin/bots/{botId}/integrations/{integrationId}/oauth-state',
  scope: 'account',
  grants: 'access',
  table: 'writes',
  partitions: { appends: ['oauthStates'] },
  query: installationQuery,
  output: z.object({ state: z.string(), expiresAt: z.string(), redirectUrl: z.string() }),
  statuses: [201],
  showsSecret: true,

  handle: async ({ input, account, token, workspaceId, nowMs, commit }) => {
    requireUnlimited(token, "the installation's account");
    const { webhookId } = await requireInstallation(workspaceId, input);
    const { memberId, role } = account.memberships[workspaceId]!;
    const state = newOAuthState();
    const expiresAtMs = nowMs + ROUND_TRIP_MS;
    return commit(created({ state, expiresAt: iso(expiresAtMs), redirectUrl: `${environment.webhookBaseUrl}/oauth` }), [
      putOAuthState(state, { webhookId, workspaceId, memberId, role, expiresAtMs }),
    ]);
  },
});

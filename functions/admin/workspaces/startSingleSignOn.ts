import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { authorizationOf, openProvider } from '#shared/domain/admin/singleSignOn/provider.ts';
import { redirectUri } from '#shared/domain/admin/singleSignOn/redirectUri.ts';
import { sealState } from '#shared/domain/admin/singleSignOn/signInState.ts';
import { requireSingleSignOn, workspaceNamed } from '#shared/domain/admin/singleSignOn/workspaceNamed.ts';
import { openClientSecret } from '#shared/storage/dynamodb/workspace/singleSignOn.ts';

export const startSingleSignOn = adminOperation({
  name: 'startSingleSignOn',
  summary:
    'Begins a sign-in at the identity provider of a workspace. Returns the address to open, which returns to `redirectUri` within ten minutes.',
  method: 'POST',
  path: '/admin/single-sign-on/start',
  scope: 'public',
  table: 'reads',
  partitions: { reads: ['accounts', 'workspaces', 'handles'] },
  callsEndpoints: true,
  body: z.object({ workspace: workspaceNamed(), redirectUri: redirectUri() }),
  output: z.object({ url: z.string(), state: z.string() }),
  statuses: [200],

  handle: async ({ input, nowMs }) => {
    const { workspaceId, settings } = await requireSingleSignOn(input.workspace);
    const { issuer, clientId } = settings;
    const provider = await openProvider({ issuer, clientId, clientSecret: openClientSecret(workspaceId, settings) });
    const begun = { workspaceId, singleSignOnId: settings.id, redirectUri: input.redirectUri };
    return ok(
      await authorizationOf(provider, settings, input.redirectUri, secrets =>
        sealState({ ...begun, ...secrets }, nowMs),
      ),
    );
  },
});

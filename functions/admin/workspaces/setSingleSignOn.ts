import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { newRecordId } from '#shared/core/ids.ts';
import { issuerOf, openProvider } from '#shared/domain/admin/singleSignOn/provider.ts';
import {
  SingleSignOnView,
  settingsOf,
  singleSignOnFields,
  viewSingleSignOn,
} from '#shared/domain/admin/singleSignOn/settings.ts';
import { auditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';
import {
  findSingleSignOn,
  openClientSecret,
  putSingleSignOn,
  sealClientSecret,
} from '#shared/storage/dynamodb/workspace/singleSignOn.ts';
import { workspaceMustExist } from '#shared/storage/dynamodb/workspace/workspaces.ts';

export const setSingleSignOn = adminOperation({
  name: 'setSingleSignOn',
  summary:
    'Sets the OpenID Connect provider with which people sign in to a workspace, and the roles of its groups. The issuer must be reachable.',
  method: 'PUT',
  path: '/admin/workspaces/{id}/single-sign-on',
  scope: 'account',
  workspaceIn: 'id',
  grants: 'membership',
  table: 'writes',
  callsEndpoints: true,
  body: z.object(singleSignOnFields),
  output: z.object({ singleSignOn: SingleSignOnView }),
  statuses: [200],

  handle: async ({ input: { id: _, ...fields }, account, workspaceId, nowMs, commit }) => {
    const before = await findSingleSignOn(workspaceId);
    const { clientId, clientSecret: given } = fields;
    const isSameClient = before?.clientId === clientId && before.issuer === fields.issuer;
    // The secret of one provider is never sent to another.
    const kept = before && isSameClient ? openClientSecret(workspaceId, before) : undefined;
    const secret = given === undefined ? kept : (given ?? undefined);
    const issuer = issuerOf(await openProvider({ issuer: fields.issuer, clientId, clientSecret: secret }));
    const isSame = before?.issuer === issuer && before.clientId === clientId;
    const after = {
      ...settingsOf({ ...fields, issuer }),
      id: isSame ? before.id : newRecordId('sso'),
      clientSecret: secret === undefined ? undefined : sealClientSecret(workspaceId, secret),
      updatedAtMs: nowMs,
      version: 0,
    };
    return commit(ok({ singleSignOn: viewSingleSignOn(after) }), [
      putSingleSignOn(workspaceId, before, after),
      workspaceMustExist(workspaceId),
      putAudit(
        workspaceId,
        auditActor(account),
        {
          action: 'UNKNOWN',
          resourceId: workspaceId,
          resourceName: issuer,
          value: isSame ? 'UPDATE_SINGLE_SIGN_ON' : 'SET_SINGLE_SIGN_ON',
        },
        nowMs,
      ),
    ]);
  },
});

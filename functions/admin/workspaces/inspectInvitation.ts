import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { adminOperation } from '#shared/api/operations/platform.ts';
import { dateTime, iso } from '#shared/api/views.ts';
import { invitationNotValid, openInvitation } from '#shared/domain/admin/workspaces/invitations.ts';
import { ROLES } from '#shared/storage/dynamodb/workspace/roles.ts';
import { findWorkspace } from '#shared/storage/dynamodb/workspace/workspaces.ts';

export const inspectInvitation = adminOperation({
  name: 'inspectInvitation',
  summary: 'Describes an invitation to its recipient, before they accept it. Needs no account.',
  // The token is a credential, which does not belong in a URL.
  method: 'POST',
  path: '/admin/invitations/inspect',
  scope: 'public',
  table: 'reads',
  partitions: { reads: ['workspaces'] },
  body: z.object({ inviteToken: z.string() }),
  output: z.object({
    invitation: z.object({
      workspaceId: z.string(),
      workspaceName: z.string(),
      workspacePicture: z.optional(z.string()),
      role: z.enum(ROLES),
      email: z.string(),
      expiresAt: dateTime(),
    }),
  }),
  statuses: [200],

  handle: async ({ input: { inviteToken }, nowMs }) => {
    const { workspaceId, member } = await openInvitation(inviteToken, nowMs);
    const workspace = await findWorkspace(workspaceId);
    if (!workspace || workspace.deletedAtMs !== undefined) throw invitationNotValid();
    return ok({
      invitation: {
        workspaceId,
        workspaceName: workspace.name,
        workspacePicture: workspace.profilePicture,
        role: member.role,
        email: member.email,
        expiresAt: iso(member.inviteExpiresAtMs!),
      },
    });
  },
});

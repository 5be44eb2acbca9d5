import * as z from 'zod/mini';
import { dateTime, iso } from '#shared/api/views.ts';
import { notFound } from '#shared/core/errors.ts';
import { countBots } from '#shared/storage/dynamodb/workspace/usage.ts';
import { findWorkspace, type Workspace } from '#shared/storage/dynamodb/workspace/workspaces.ts';

export const WorkspaceView = z.object({
  id: z.string(),
  name: z.string(),
  ownerId: z.string(),
  createdAt: dateTime(),
  updatedAt: dateTime(),
  botCount: z.number(),
  billingVersion: z.enum(['v4', 'v1', 'v2', 'v3']),
  plan: z.enum(['community', 'team', 'enterprise', 'plus', 'managed']),
  blocked: z.boolean(),
  spendingLimit: z.number(),
  about: z.optional(z.string()),
  profilePicture: z.optional(z.string()),
  contactEmail: z.optional(z.string()),
  website: z.optional(z.string()),
  socialAccounts: z.optional(z.array(z.string())),
  isPublic: z.optional(z.boolean()),
  handle: z.optional(z.string()),
  activeTrialId: z.null(),
});

export const viewWorkspace = (workspace: Workspace, botCount: number): z.infer<typeof WorkspaceView> => ({
  id: workspace.id,
  name: workspace.name,
  ownerId: workspace.ownerId,
  createdAt: iso(workspace.createdAtMs),
  updatedAt: iso(workspace.updatedAtMs),
  botCount,
  billingVersion: 'v4',
  plan: 'community',
  blocked: workspace.deletedAtMs !== undefined,
  spendingLimit: workspace.spendingLimit ?? 0,
  about: workspace.about,
  profilePicture: workspace.profilePicture,
  contactEmail: workspace.contactEmail,
  website: workspace.website,
  socialAccounts: workspace.socialAccounts,
  isPublic: workspace.isPublic ?? false,
  handle: workspace.handle,
  activeTrialId: null,
});

export async function showWorkspace(workspace: Workspace) {
  const [botCount] = await countBots([workspace.id]);
  return viewWorkspace(workspace, botCount!);
}

export async function requireWorkspace(workspaceId: string): Promise<Workspace> {
  const workspace = await findWorkspace(workspaceId);
  if (!workspace) throw notFound(`The workspace ${workspaceId}`);
  return workspace;
}

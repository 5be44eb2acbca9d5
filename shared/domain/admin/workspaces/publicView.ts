import * as z from 'zod/mini';
import { dateTime, iso } from '#shared/api/views.ts';
import type { Workspace } from '#shared/storage/dynamodb/workspace/workspaces.ts';

export const PublicWorkspaceView = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: dateTime(),
  updatedAt: dateTime(),
  about: z.optional(z.string()),
  profilePicture: z.optional(z.string()),
  contactEmail: z.optional(z.string()),
  website: z.optional(z.string()),
  socialAccounts: z.optional(z.array(z.string())),
  handle: z.optional(z.string()),
});

export const isShownInPublic = ({ isPublic, deletedAtMs }: Workspace) => isPublic === true && deletedAtMs === undefined;

export const viewPublicWorkspace = (workspace: Workspace): z.infer<typeof PublicWorkspaceView> => ({
  id: workspace.id,
  name: workspace.name,
  createdAt: iso(workspace.createdAtMs),
  updatedAt: iso(workspace.updatedAtMs),
  about: workspace.about,
  profilePicture: workspace.profilePicture,
  contactEmail: workspace.contactEmail,
  website: workspace.website,
  socialAccounts: workspace.socialAccounts,
  handle: workspace.handle,
});

import { notFound } from '#shared/core/errors.ts';
import { isWorkspaceId } from '#shared/core/ids.ts';
import { text } from '#shared/core/text.ts';
import { findSingleSignOn, type SingleSignOn } from '#shared/storage/dynamodb/workspace/singleSignOn.ts';
import { findHandleOwners, findWorkspace } from '#shared/storage/dynamodb/workspace/workspaces.ts';

/** The handle or the id of a workspace. */
export const workspaceNamed = () => text(100);

/** @throws ApiError ResourceNotFound, with the same message for a workspace that does not exist */
export async function requireSingleSignOn(name: string): Promise<{ workspaceId: string; settings: SingleSignOn }> {
  const workspaceId = isWorkspaceId(name)
    ? name
    : (await findHandleOwners([name.toLowerCase()])).get(name.toLowerCase());
  const [workspace, settings] =
    workspaceId === undefined ? [] : await Promise.all([findWorkspace(workspaceId), findSingleSignOn(workspaceId)]);
  if (!workspaceId || !settings || !workspace || workspace.deletedAtMs !== undefined) {
    throw notFound(`A workspace ${name} with single sign-on`);
  }
  return { workspaceId, settings };
}

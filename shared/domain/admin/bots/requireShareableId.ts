import { notFound } from '#shared/core/errors.ts';
import { findShareableId } from '#shared/storage/dynamodb/bots/shareableIds.ts';
import { type NamedInstallation, requireInstallation } from './requireInstallation.ts';

export async function requireShareableId(workspaceId: string, named: NamedInstallation) {
  const installation = await requireInstallation(workspaceId, named);
  const found = await findShareableId(named.botId, installation);
  if (!found) throw notFound(`A shareable id of the installation ${installation.alias}`);
  return { installation, found };
}

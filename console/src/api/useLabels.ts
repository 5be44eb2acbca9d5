/** Labels of the workspace, for conversations. */
import { useQuery } from '@tanstack/react-query';
import { useParley, useWorkspaceId } from './clients.ts';
import type { InboxLabel } from './contract.ts';

/** Managers change labels rarely. */
const STALE_MS = 60_000;

export const labelsKey = (workspaceId: string) => ['inboxLabels', workspaceId] as const;

/** @param isEnabled false while nothing shows a label, so that an inbox without labels costs no request */
export function useLabels(isEnabled = true) {
  const parley = useParley();
  const workspaceId = useWorkspaceId();
  return useQuery({
    queryKey: labelsKey(workspaceId),
    queryFn: async () => (await parley.listInboxLabels()).labels,
    enabled: isEnabled && workspaceId !== '',
    staleTime: STALE_MS,
  });
}

/** Returns the labels with these ids, by name. Ids of deleted labels are ignored. */
export function useLabelsOf(ids: readonly string[] = []): InboxLabel[] {
  const { data = [] } = useLabels(ids.length > 0);
  return data.filter(({ id }) => ids.includes(id)).sort((one, other) => one.name.localeCompare(other.name));
}

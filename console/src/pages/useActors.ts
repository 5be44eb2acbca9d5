import { useQuery } from '@tanstack/react-query';
import { useAdminClient, useWorkspaceId } from '../api/clients.ts';
import { visibleName } from '../parts/visibleName.ts';

/** Members whose names the page shows. */
const MAX_MEMBERS = 500;

/** Returns the names of the workspace's members by account. Former members are not among them. */
export function useActors() {
  const client = useAdminClient();
  const workspaceId = useWorkspaceId();
  const { data: members = [] } = useQuery({
    queryKey: ['members', workspaceId, 'names'],
    queryFn: () => client.list.workspaceMembers({}).collect({ limit: MAX_MEMBERS }),
    enabled: workspaceId !== '',
  });
  const named = members.flatMap(({ userId, displayName, email }) =>
    userId ? [{ value: userId, label: visibleName(displayName) ?? email }] : [],
  );
  const names = new Map(named.map(({ value, label }) => [value, label]));
  return { options: named, nameOf: (id: string | null | undefined) => (id ? names.get(id) : undefined) };
}

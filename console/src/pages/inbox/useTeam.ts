/** Members who may serve conversations. */
import { useQuery } from '@tanstack/react-query';
import { useAdminClient, useWorkspaceId } from '../../api/clients.ts';
import { type Role, useMember } from '../../api/useMember.ts';

/** Maximum number of members to offer. */
const MOST = 200;
const SERVING: ReadonlySet<Role> = new Set<Role>(['agent', 'developer', 'manager', 'administrator', 'owner']);
/** Roles that may delete the notes of others. */
const MANAGING: ReadonlySet<Role> = new Set<Role>(['manager', 'administrator', 'owner']);

interface TeamMember {
  userId: string;
  name: string;
  pictureUrl: string | undefined;
  mayServe: boolean;
}

export interface Team {
  /** Account of the caller. Empty while it loads. */
  ownId: string;
  /** Viewers read only. */
  mayServe: boolean;
  mayDeleteNotes: boolean;
  members: TeamMember[];
}

export function useTeam(): Team {
  const client = useAdminClient();
  const workspaceId = useWorkspaceId();
  const { data: me } = useMember();
  const { data: members = [] } = useQuery({
    queryKey: ['members', workspaceId, 'team'],
    queryFn: () => client.list.workspaceMembers({}).collect({ limit: MOST }),
    staleTime: 60_000,
  });
  return {
    ownId: me?.userId ?? '',
    mayServe: me !== undefined && SERVING.has(me.role),
    mayDeleteNotes: me !== undefined && MANAGING.has(me.role),
    members: members.flatMap(({ userId, displayName, email, profilePicture, role }) =>
      userId
        ? [
            {
              userId,
              name: displayName || email || userId,
              pictureUrl: profilePicture,
              mayServe: SERVING.has(role),
            },
          ]
        : [],
    ),
  };
}

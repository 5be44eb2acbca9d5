/** The caller, and the members who may be assigned to conversations. */
import { useQuery } from '@tanstack/react-query';
import { useAdminClient, useWorkspaceId } from '../../api/clients.ts';
import { type Role, useMember } from '../../api/useMember.ts';

/** Maximum number of members to offer. */
const MOST = 200;
const HANDLING_ROLES: ReadonlySet<Role> = new Set<Role>(['agent', 'developer', 'manager', 'administrator', 'owner']);
/** Roles that may delete other members' notes. */
const MANAGING: ReadonlySet<Role> = new Set<Role>(['manager', 'administrator', 'owner']);

interface TeamMember {
  userId: string;
  /** The display name, else the email. */
  name: string;
  displayName: string | undefined;
  pictureUrl: string | undefined;
  mayHandle: boolean;
  /** May see conversations, so that notes can mention them. */
  mayRead: boolean;
}

interface Caller {
  /** Account of the caller. Empty while it loads. */
  ownId: string;
  /** Viewers have read-only access. */
  mayHandle: boolean;
  mayDeleteNotes: boolean;
}

export function useCaller(): Caller {
  const { data: me } = useMember();
  return {
    ownId: me?.userId ?? '',
    mayHandle: me !== undefined && HANDLING_ROLES.has(me.role),
    mayDeleteNotes: me !== undefined && MANAGING.has(me.role),
  };
}

export interface Team extends Caller {
  members: TeamMember[];
}

/** Reads the members, too. */
export function useTeam(): Team {
  const client = useAdminClient();
  const workspaceId = useWorkspaceId();
  const caller = useCaller();
  const { data: members = [] } = useQuery({
    queryKey: ['members', workspaceId, 'team'],
    queryFn: () => client.list.workspaceMembers({}).collect({ limit: MOST }),
    staleTime: 60_000,
  });
  return {
    ...caller,
    members: members.flatMap(({ userId, displayName, email, profilePicture, role }) =>
      userId
        ? [
            {
              userId,
              name: displayName || email || userId,
              displayName,
              pictureUrl: profilePicture,
              mayHandle: HANDLING_ROLES.has(role),
              mayRead: role === 'viewer' || HANDLING_ROLES.has(role),
            },
          ]
        : [],
    ),
  };
}

/** Who is in the open conversation: the customer, with the page they visit, and colleagues. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useParley } from '../../api/clients.ts';
import type { Presence } from '../../api/contract.ts';
import { useLive } from '../../api/live/useLive.ts';
import { parley } from '../../api/parley.ts';
import { checkRole } from '../../api/useMember.ts';
import { useSession } from '../../session/session.ts';
import { enter, OwnPresence, type PresenceState } from './ownPresence.ts';
import { useTeam } from './useTeam.ts';

/** Repeated typing causes no notices. */
const TYPING_MS = 5_000;
/** Notices do not include that customers connect and disconnect. Renewals of the own presence read it as well. */
const REFRESH_MS = 45_000;

const presenceKey = (botId: string, id: string) => ['presence', botId, id] as const;

export function usePresence(botId: string, id: string): Presence | undefined {
  const api = useParley(botId);
  const live = useLive(botId);
  const isRenewed = useHasColleagues();
  const { data } = useQuery({
    queryKey: presenceKey(botId, id),
    queryFn: () => api.getPresence(id),
    enabled: live.enabled,
    refetchInterval: ({ state }) =>
      state.data?.visitor.typingAt ? TYPING_MS : live.refetchInterval || (isRenewed ? false : REFRESH_MS),
  });
  return data;
}

/** Returns true if the caller's presence is of interest to somebody. */
function useHasColleagues(): boolean {
  const { ownId, mayHandle, members } = useTeam();
  return mayHandle && members.some(({ userId, mayRead }) => mayRead && userId !== ownId);
}

/** Shows colleagues that the caller views the conversation, while the component is shown and the page is visible. */
export function useOwnPresence(botId: string, id: string): void {
  const queries = useQueryClient();
  const { token = '', workspaceId } = useSession() ?? {};
  const isShown = useHasColleagues();
  useEffect(() => {
    if (!isShown) return;
    // The last call outlives the page.
    const api = parley({ token, workspaceId, botId, keepAlive: true });
    const send = async (state: PresenceState) => {
      const read = await api.showPresence(id, { state });
      if (state !== 'left') queries.setQueryData(presenceKey(botId, id), read);
    };
    const presence = new OwnPresence(
      // The next renewal repeats a failed call.
      state => void send(state).catch(error => checkRole(queries, error)),
      () => document.visibilityState === 'visible',
    );
    const over = new AbortController();
    const { signal } = over;
    document.addEventListener('visibilitychange', () => presence.look(), { signal });
    window.addEventListener('pagehide', () => presence.leave(), { signal });
    const end = enter(id, presence);
    return () => {
      over.abort();
      end();
    };
  }, [isShown, token, workspaceId, botId, id, queries]);
}

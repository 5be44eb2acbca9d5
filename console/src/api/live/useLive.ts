import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { useSession } from '../../session/session.ts';
import { FALLBACK_MS } from './pollingTimes.ts';
import { type LiveState, stateOf, subscribe, type Watched } from './subscriptions.ts';

/** Options of queries that notices refetch. Without a connection, they are polled. */
export interface Live {
  enabled: boolean;
  refetchInterval: number | false;
}

/**
 * Subscribes to the changes of a bot (`notices.ts` names the queries) while the component is shown. One connection
 * watches all bots of the workspace. A bot beyond its limit has a connection of its own.
 */
export function useLive(botId: string | undefined, isEnabled = true): Live {
  const { token, workspaceId = '' } = useSession() ?? {};
  const isPartial = useIsPartial(workspaceId);
  const ofWorkspace = useSubscription(token && workspaceId ? { token, workspaceId } : undefined);
  const ofBot = useSubscription(token && botId && isPartial ? { token, workspaceId, botId } : undefined);
  return liveIn(isPartial && botId ? ofBot : ofWorkspace, isEnabled);
}

/** Subscribes to the changes of all bots of the workspace while the component is shown. */
export const useWorkspaceLive = (isEnabled = true): Live => useLive(undefined, isEnabled);

const liveIn = (state: LiveState, isEnabled: boolean): Live => ({
  enabled: isEnabled && state !== 'connecting',
  refetchInterval: state === 'polling' ? FALLBACK_MS : false,
});

function useSubscription(watched: Watched | undefined): LiveState {
  const queries = useQueryClient();
  const { token, workspaceId, botId } = watched ?? {};
  const onChange = useCallback(
    (changed: () => void) =>
      token && workspaceId ? subscribe(queries, { token, workspaceId, botId }, changed) : () => undefined,
    [queries, token, workspaceId, botId],
  );
  return useSyncExternalStore(onChange, () => (watched ? stateOf(watched) : 'connecting'));
}

export const countsKey = (workspaceId: string, botIds: readonly string[] = []) =>
  ['inbox', workspaceId, 'counts', ...botIds] as const;

/**
 * Returns true if the workspace has more bots than one connection watches. Without a function of its own, because a
 * query runs the function of the observer that was rendered last.
 */
const useIsPartial = (workspaceId: string): boolean =>
  useQuery<{ isPartial: boolean }>({ queryKey: countsKey(workspaceId), enabled: false }).data?.isPartial === true;

import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { useSession } from '../../session/session.ts';
import { FALLBACK_MS } from './pollingTimes.ts';
import { stateOf, subscribe } from './subscriptions.ts';

/** Options of queries that notices refetch. Without a connection, they are polled. */
export interface Live {
  enabled: boolean;
  refetchInterval: number | false;
}

/** Subscribes to the changes of a bot (`notices.ts` names the queries) while the component is shown. */
export function useLive(botId: string | undefined, isEnabled = true): Live {
  const queries = useQueryClient();
  const token = useSession()?.token;
  const onChange = useCallback(
    (changed: () => void) => (botId && token ? subscribe(queries, { botId, token }, changed) : () => undefined),
    [queries, botId, token],
  );
  const state = useSyncExternalStore(onChange, () => (botId && token ? stateOf({ botId, token }) : 'connecting'));
  return {
    enabled: isEnabled && state !== 'connecting',
    refetchInterval: state === 'polling' ? FALLBACK_MS : false,
  };
}

import { useQuery } from '@tanstack/react-query';
import { useParley } from './clients.ts';
import type { Endpoint } from './contract.ts';
import { FALLBACK_MS } from './live/pollingTimes.ts';
import { useLive } from './live/useLive.ts';
import { useAction } from './useAction.ts';

/** Reads the endpoints of a bot and its installations, live. Attempts at an open breaker write nothing, so it polls. */
export function useEndpoints(botId: string) {
  const parley = useParley(botId);
  const live = useLive(botId);
  return useQuery({
    queryKey: ['endpoints', botId],
    queryFn: async () => (await parley.listEndpoints()).endpoints,
    ...live,
    refetchInterval: ({ state: { data } }) => (data?.some(isUnhealthy) ? FALLBACK_MS : live.refetchInterval),
  });
}

export const isUnhealthy = ({ status }: Pick<Endpoint, 'status'>): boolean => status !== 'healthy';

/** Attempts the next delivery to the endpoint now. */
export function useRetryEndpoint(botId: string, alias: string | undefined, done: string) {
  const parley = useParley(botId);
  return useAction(() => parley.retryEndpoint(alias === undefined ? {} : { integrationAlias: alias }), {
    done,
    changes: [['endpoints', botId]],
  });
}

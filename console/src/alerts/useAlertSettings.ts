/** Alert settings of the account. Read on first use, and again after a change in another tab. */
import type { Client } from '@botpress/client';
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useAdminClient } from '../api/clients.ts';
import { useAction } from '../api/useAction.ts';
import { ALERTS_PREFERENCE, type AlertSettings, readAlertSettings } from './alertSettings.ts';

/** Another browser may have changed them. */
const STALE_MS = 60_000;
const CHANNEL = 'parley-console-alert-settings';
const KEY = ['alertSettings'];

const settingsQuery = (client: Client) =>
  queryOptions({
    queryKey: KEY,
    queryFn: async () => readAlertSettings((await client.getAccountPreference({ key: ALERTS_PREFERENCE })).value),
    staleTime: STALE_MS,
  });

/** Returns the settings for an alert: the last known ones if they cannot be read. */
export async function readSettings(queries: QueryClient, client: Client): Promise<AlertSettings> {
  const query = settingsQuery(client);
  return queries
    .fetchQuery(query)
    .catch(() => queries.getQueryData<AlertSettings>(query.queryKey) ?? readAlertSettings(undefined));
}

/** Reads the settings again after another tab has changed them. */
export function useChangesInOtherTabs(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = () => void queries.invalidateQueries({ queryKey: KEY });
    return () => channel.close();
  }, [queries]);
}

export function useAlertSettings() {
  const client = useAdminClient();
  const queries = useQueryClient();
  const options = useMemo(() => settingsQuery(client), [client]);
  const query = useQuery(options);
  const write = useAction(
    async (value: AlertSettings) => {
      await client.setAccountPreference({ key: ALERTS_PREFERENCE, value });
      const channel = new BroadcastChannel(CHANNEL);
      channel.postMessage('changed');
      channel.close();
    },
    // In order, because each contains all settings.
    { scope: ALERTS_PREFERENCE, onFailed: () => void queries.invalidateQueries({ queryKey: KEY }) },
  );
  /** Shows the change immediately. */
  const save = (change: Partial<AlertSettings>) => {
    const next = { ...readAlertSettings(queries.getQueryData(options.queryKey)), ...change };
    void queries.cancelQueries({ queryKey: KEY });
    queries.setQueryData(options.queryKey, next);
    write.mutate(next);
  };
  return { query, save };
}

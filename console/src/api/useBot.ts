import type { Client } from '@botpress/client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useAdminClient, useWorkspaceId } from './clients.ts';
import { LIVE_MS } from './live/pollingTimes.ts';

export function useBot(botId: string | undefined) {
  const client = useAdminClient();
  return useQuery({
    queryKey: ['bot', botId],
    queryFn: async () => (await client.getBot({ id: botId! })).bot,
    enabled: botId !== undefined,
    refetchInterval: ({ state: { data } }) => (data && isChanging(data) ? LIVE_MS : false),
  });
}

/** Returns true while code is deployed or an integration registers. */
const isChanging = ({ status, integrations }: Bot) =>
  status === 'deploying' || Object.values(integrations).some(each => each.status.endsWith('_pending'));

export type Bot = Awaited<ReturnType<Client['getBot']>>['bot'];
export type Installation = Bot['integrations'][string];

/** Bots that menus offer, and whose names pages show. */
const MOST_BOTS = 200;
const PAGE = 100;

/** Lists the bots of the workspace by their last update. All parts of the console share the list. */
export function useRecentBots(isEnabled = true) {
  const client = useAdminClient();
  const workspaceId = useWorkspaceId();
  return useQuery({
    queryKey: ['bots', workspaceId, 'list'],
    queryFn: () =>
      client.list.bots({ sortField: 'updatedAt', sortDirection: 'desc', pageSize: PAGE }).collect({ limit: MOST_BOTS }),
    staleTime: 60_000,
    enabled: isEnabled && workspaceId !== '',
  });
}

/** Returns the names of these bots by id. A bot without a name has its id. */
export function useBotNames(isEnabled = true): ReadonlyMap<string, string> {
  const { data } = useRecentBots(isEnabled);
  return useMemo(() => new Map(data?.map(({ id, name }) => [id, name || id])), [data]);
}

/** Fields of the API that the client's type lacks. */
type More = Bot & { statusReason?: string; url?: string };

/** Returns the reason why the latest deployment failed. */
export const failureOf = (bot: Bot): string | undefined => (bot as More).statusReason;
export const urlOf = (bot: Bot): string | undefined => (bot as More).url;

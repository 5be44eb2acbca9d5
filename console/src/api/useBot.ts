import type { Client } from '@botpress/client';
import { useQuery } from '@tanstack/react-query';
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

export function useRecentBots(isEnabled = true) {
  const client = useAdminClient();
  const workspaceId = useWorkspaceId();
  return useQuery({
    queryKey: ['bots', workspaceId, 'recent'],
    queryFn: async () => (await client.listBots({ sortField: 'updatedAt', sortDirection: 'desc' })).bots,
    enabled: isEnabled && workspaceId !== '',
  });
}

/** Fields of the API that the client's type lacks. */
type More = Bot & { statusReason?: string; url?: string };

/** Returns the reason why the latest deployment failed. */
export const failureOf = (bot: Bot): string | undefined => (bot as More).statusReason;
export const urlOf = (bot: Bot): string | undefined => (bot as More).url;

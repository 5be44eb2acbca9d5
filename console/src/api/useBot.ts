import { useQuery } from '@tanstack/react-query';
import { useAdminClient, useWorkspaceId } from './clients.ts';

export function useBot(botId: string | undefined) {
  const client = useAdminClient();
  return useQuery({
    queryKey: ['bot', botId],
    queryFn: async () => (await client.getBot({ id: botId! })).bot,
    enabled: botId !== undefined,
  });
}

export type Bot = NonNullable<ReturnType<typeof useBot>['data']>;

export function useRecentBots() {
  const client = useAdminClient();
  const workspaceId = useWorkspaceId();
  return useQuery({
    queryKey: ['bots', workspaceId, 'recent'],
    queryFn: async () => (await client.listBots({ sortField: 'updatedAt', sortDirection: 'desc' })).bots,
    enabled: workspaceId !== '',
  });
}

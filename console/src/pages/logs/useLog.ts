import { useQuery } from '@tanstack/react-query';
import { useAdminClient } from '../../api/clients.ts';
import { useLive } from '../../api/live/useLive.ts';

/** Maximum number of lines in the page. To see other lines, select a shorter time range or a filter. */
export const MAX_LINES = 1_000;

const LOG_MS = 10_000;

interface LogFilters {
  level?: string;
  messageContains?: string;
}

interface Options {
  integrationId?: string | undefined;
  /** Identifies the time range. */
  range: string;
  /** Start of the range, read at each poll. */
  startMs: () => number;
  filters?: LogFilters;
  isFollowing: boolean;
}

/** Reads the log of a bot, or of an integration of the workspace, oldest lines first. */
export function useLog(botId: string, { integrationId, range, startMs, filters = {}, isFollowing }: Options) {
  const client = useAdminClient();
  useLive(botId);
  return useQuery({
    queryKey: ['logs', botId, integrationId, range, filters],
    queryFn: async () => {
      const timeStart = new Date(startMs()).toISOString();
      const lines = [];
      let nextToken: string | undefined;
      do {
        const query = { timeStart, ...filters, ...(nextToken ? { nextToken } : {}) };
        const answer = integrationId
          ? await client.getIntegrationLogs({ id: integrationId, ...query })
          : await client.getBotLogs({ id: botId, ...query });
        lines.push(...answer.logs);
        nextToken = answer.nextToken;
      } while (nextToken && lines.length < MAX_LINES);
      return { lines: lines.slice(0, MAX_LINES), isCut: nextToken !== undefined };
    },
    // Lines are stored shortly after the change that causes them.
    refetchInterval: isFollowing ? LOG_MS : false,
    meta: { isPaused: !isFollowing },
    placeholderData: before => before,
  });
}

export type Log = NonNullable<ReturnType<typeof useLog>['data']>;

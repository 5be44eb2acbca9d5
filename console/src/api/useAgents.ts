/** Agents of the inbox, their availability, and the settings of automatic assignment. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParley, useWorkspaceId } from './clients.ts';
import type { Agent } from './contract.ts';
import { countsKey, useWorkspaceLive } from './live/useLive.ts';
import { useAction } from './useAction.ts';
import { useInboxCounts } from './useInboxCounts.ts';

/** Pages of agents that are read, each of up to 100 members. */
const MOST_PAGES = 5;

export type Presence = 'online' | 'away' | 'offline';

/** Agents without an open console receive nothing, whatever their availability. */
export const presenceOf = ({ availability, isConnected }: Pick<Agent, 'availability' | 'isConnected'>): Presence =>
  isConnected ? availability : 'offline';

const agentsKey = (workspaceId: string, part: string) => ['inboxAgents', workspaceId, part] as const;

/** Reads the agents, by account. */
export function useAgents(isEnabled = true): ReadonlyMap<string, Agent> {
  const parley = useParley();
  const workspaceId = useWorkspaceId();
  const live = useWorkspaceLive(isEnabled);
  const { data = NONE } = useQuery({
    queryKey: agentsKey(workspaceId, 'all'),
    queryFn: async () => {
      const agents: Agent[] = [];
      let nextToken: string | undefined;
      for (let page = 0; page < MOST_PAGES; page++) {
        const answer = await parley.listInboxAgents({ nextToken, pageSize: 100 });
        agents.push(...answer.agents);
        nextToken = (answer.meta as { nextToken?: string }).nextToken;
        if (nextToken === undefined) break;
      }
      return new Map(agents.map(agent => [agent.id, agent]));
    },
    ...live,
  });
  return data;
}
const NONE: ReadonlyMap<string, Agent> = new Map();

/** Reads and sets the caller's own availability. Undefined for members without conversations. */
export function useOwnAvailability() {
  const parley = useParley();
  const workspaceId = useWorkspaceId();
  const queries = useQueryClient();
  const queryKey = countsKey(workspaceId);
  const { data } = useInboxCounts();
  const set = useAction((availability: Agent['availability']) => parley.setInboxAvailability(availability), {
    changes: [queryKey, ['inboxAgents', workspaceId]],
    scope: 'availability',
  });
  return {
    availability: set.isPending ? set.variables : data?.availability,
    set: (availability: Agent['availability']) => {
      void queries.cancelQueries({ queryKey });
      set.mutate(availability);
    },
  };
}

export function useInboxSettings() {
  const parley = useParley();
  const workspaceId = useWorkspaceId();
  return useQuery({
    queryKey: ['inboxSettings', workspaceId],
    queryFn: async () => (await parley.getInboxSettings()).settings,
    ...useWorkspaceLive(),
  });
}

/** First steps of a bot, from its creation to the first conversation that a member of the team has handled. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useAdminClient, useBotClient, useParley, useWorkspaceId } from '../../api/clients.ts';
import { type Bot, urlOf } from '../../api/useBot.ts';
import { isChatName } from '../integrations/chatFields.ts';

export const STEPS = ['deploy', 'chat', 'talk', 'team', 'handle'] as const;
export type Step = (typeof STEPS)[number];

/** Bots whose steps are complete or hidden in this browser, which then reads nothing for them. */
const KEY = 'parley.firstSteps.hidden';
const MOST_HIDDEN = 500;

const hidden = (): string[] => {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(ids) ? ids.filter(id => typeof id === 'string') : [];
  } catch {
    return [];
  }
};

const hide = (botId: string) =>
  localStorage.setItem(KEY, JSON.stringify([botId, ...hidden().filter(id => id !== botId)].slice(0, MOST_HIDDEN)));

/** Returns the completed steps: undefined while they load, and if the steps are hidden or were completed earlier. */
export function useFirstSteps(bot: Bot): { done: ReadonlySet<Step> | undefined; hide: () => void } {
  const [isHidden, setHidden] = useState(() => hidden().includes(bot.id));
  const client = useBotClient(bot.id);
  const admin = useAdminClient();
  const parley = useParley(bot.id);
  const workspaceId = useWorkspaceId();
  const { data } = useQuery({
    queryKey: ['firstSteps', bot.id, workspaceId],
    queryFn: async () => {
      const [{ conversations }, { members }, { handoffs }] = await Promise.all([
        client.listConversations({ pageSize: 1 }),
        admin.listWorkspaceMembers({ pageSize: 2 }),
        parley.listHandoffs({ pageSize: 1 }),
      ]);
      return { talk: conversations.length > 0, team: members.length > 1, handle: handoffs.length > 0 };
    },
    enabled: !isHidden,
  });
  const hasChat = Object.values(bot.integrations).some(({ name }) => isChatName(name));
  const isDone = data && { ...data, deploy: Boolean(urlOf(bot) || bot.deployedAt), chat: hasChat };
  const done = isDone && new Set(STEPS.filter(step => isDone[step]));
  const isComplete = done?.size === STEPS.length;
  useEffect(() => {
    if (isComplete) hide(bot.id);
  }, [isComplete, bot.id]);
  return {
    done: isHidden || isComplete ? undefined : done,
    hide: () => {
      hide(bot.id);
      setHidden(true);
    },
  };
}

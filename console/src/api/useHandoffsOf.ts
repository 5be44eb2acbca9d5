import { useParley } from './clients.ts';
import type { HandoffFilters, HandoffRow } from './contract.ts';
import { useLive } from './live/useLive.ts';
import { type List, useList } from './useList.ts';

/** Returns the handoffs of a conversation, newest first. The first may be open. */
export function useHandoffsOf(botId: string, conversationId: string, isEnabled = true): List<HandoffRow> {
  const parley = useParley(botId);
  const filters: HandoffFilters = { conversationId };
  return useList<HandoffRow>(
    ['handoffs', botId, 'list', filters],
    async nextToken => {
      const answer = await parley.listHandoffs({ ...filters, preview: true, nextToken });
      return { items: answer.handoffs, nextToken: answer.meta.nextToken };
    },
    { live: useLive(botId, isEnabled) },
  );
}

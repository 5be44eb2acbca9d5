/** Delivers again what failed from a moment on: the API replays from a time, not by the event. */

import { useParley } from './clients.ts';
import { untilDone } from './parley.ts';
import { useAction } from './useAction.ts';

export function useSendAgain(botId: string) {
  const parley = useParley(botId);
  const replay = (since: string | undefined) =>
    untilDone(async next => {
      const answer = await parley.replayEvents({ ...(since ? { since } : {}), ...(next ? { next } : {}) });
      return { count: answer.replayed, next: answer.next };
    });
  return useAction(replay, {
    done: count =>
      count === 1 ? 'It is on its way again.' : `${count} that failed since then are on their way again.`,
    changes: [
      ['deliveries', botId],
      ['events', botId],
    ],
  });
}

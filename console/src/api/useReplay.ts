/** Replays events that failed since a given time. The API has no replay of single events. */
import { useParley } from './clients.ts';
import { untilDone } from './parley.ts';
import { useAction } from './useAction.ts';

export function useReplay(botId: string) {
  const parley = useParley(botId);
  const replay = (since: string | undefined) =>
    untilDone(async next => {
      const answer = await parley.replayEvents({ ...(since ? { since } : {}), ...(next ? { next } : {}) });
      return { count: answer.replayed, next: answer.next };
    });
  return useAction(replay, {
    done: count => (count === 1 ? 'Delivering 1 event again.' : `Delivering ${count} events again.`),
    changes: [
      ['deliveries', botId],
      ['events', botId],
    ],
  });
}

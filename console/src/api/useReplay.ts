/** Replays events that failed since a given time. The API cannot replay single events. */

import { activity } from '../messages/en/activity.ts';
import { translator } from '../messages/translate.ts';
import { useParley } from './clients.ts';
import { untilDone } from './parley.ts';
import { useAction } from './useAction.ts';

const t = translator('activity', activity);

export function useReplay(botId: string) {
  const parley = useParley(botId);
  const replay = (since: string | undefined) =>
    untilDone(async next => {
      const answer = await parley.replayEvents({ ...(since ? { since } : {}), ...(next ? { next } : {}) });
      return { count: answer.replayed, next: answer.next };
    });
  return useAction(replay, {
    done: count => t('redelivered', { count }),
    changes: [
      ['deliveries', botId],
      ['events', botId],
    ],
  });
}

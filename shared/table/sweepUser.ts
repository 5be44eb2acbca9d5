/** Ends the participations of a user who was deleted: those that did not fit into the deleting transaction. */
import type { SweepJob } from '../sweep.ts';
import { dropUnlessChanged, listUserConversations } from './participants.ts';
import { findUserCreationMs } from './users.ts';

const PAGE = 100;

/** @returns whether it got to the end before the time was up */
export async function sweepUser(
  { botId, userId }: Extract<SweepJob, { kind: 'user' }>,
  isTimeLeft: () => boolean,
): Promise<{ isDone: boolean; removed: number }> {
  // He may have come back under the same id: what he joined since then is his new life's.
  const untilMs = (await findUserCreationMs(botId, userId)) ?? Date.now();
  let removed = 0;
  let after: { conversationId: string; listSk: string } | undefined;
  do {
    if (!isTimeLeft()) return { isDone: false, removed };
    const page = await listUserConversations(botId, userId, { after, limit: PAGE });
    const former = page.filter(({ joinedAtMs }) => joinedAtMs < untilMs);
    for (const participant of former) await dropUnlessChanged(botId, participant);
    removed += former.length;
    after = page.length === PAGE ? page.at(-1) : undefined;
  } while (after);
  return { isDone: true, removed };
}

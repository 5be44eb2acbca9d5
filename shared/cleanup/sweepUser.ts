/** Ends the participations of a user who was deleted that did not fit into the deleting transaction, and his states. */

import { dropUnlessChanged, listUserConversations } from '#shared/dynamodb/chat/participants.ts';
import { findAnyUser } from '#shared/dynamodb/chat/users.ts';
import { statePrefix, userKey, workflowOfPrefix } from '#shared/dynamodb/keys/chat.ts';
import type { Key } from '#shared/dynamodb/keys/table.ts';
import { timerKey } from '#shared/dynamodb/keys/timers.ts';
import { allUntil, END, partitionList } from '#shared/dynamodb/lists.ts';
import { removeAll } from '#shared/dynamodb/partitionCleanup.ts';
import type { SweepJob } from '#shared/queues/sweeps.ts';

const PAGE = 100;

/** @returns whether it got to the end before the time was up */
export async function sweepUser(
  { botId, userId }: Extract<SweepJob, { kind: 'user' }>,
  isTimeLeft: () => boolean,
): Promise<{ isDone: boolean; removed: number }> {
  // He may have come back under the same id: what he joined since then is his new life's.
  const untilMs = (await findAnyUser(botId, userId))?.createdAtMs ?? Date.now();
  let removed = 0;
  let after: { conversationId: string; gsi1Sk: string } | undefined;
  do {
    if (!isTimeLeft()) return { isDone: false, removed };
    const page = await listUserConversations(botId, userId, { after, limit: PAGE });
    const former = page.filter(({ joinedAtMs }) => joinedAtMs < untilMs);
    for (const participant of former) await dropUnlessChanged(botId, participant);
    removed += former.length;
    after = page.length === PAGE ? page.at(-1) : undefined;
  } while (after);
  removed += await removeStates(botId, userId, untilMs);
  return { isDone: true, removed };
}

/** His states, when they expire, and which workflows he had. */
async function removeStates(botId: string, userId: string, untilMs: number): Promise<number> {
  const { pk } = userKey(botId, userId);
  let removed = 0;
  const range = { direction: 'asc' as const, first: '', last: END };
  for await (const { item } of partitionList(pk, statePrefix, range)) {
    if (item.createdAtMs >= untilMs) continue;
    await removeAll([timerKey(item as Key), { pk, sk: item.sk }]);
    removed++;
  }
  for await (const { item } of partitionList(pk, workflowOfPrefix, allUntil(untilMs - 1))) {
    await removeAll([{ pk, sk: item.sk }]);
    removed++;
  }
  return removed;
}

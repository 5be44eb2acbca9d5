/** Removes what deleted conversations, users and bots leave behind, in steps that fit into one invocation. */

import { clock } from '#shared/core/clock.ts';
import { CLOCK_SKEW_MS, encodeTime } from '#shared/core/ids.ts';
import {
  conversationPk,
  conversationSk,
  isParticipantKey,
  statePrefix,
  timelineKey,
  userKey,
  workflowOfPrefix,
} from '#shared/storage/dynamodb/keys/chat.ts';
import type { Key } from '#shared/storage/dynamodb/keys/table.ts';
import { timerKey } from '#shared/storage/dynamodb/keys/timers.ts';
import { allUntil, END, inChunks, indexKeys, partitionList } from '#shared/storage/dynamodb/lists.ts';
import { clearSections, OutOfTime, type Progress, removeAll } from '#shared/storage/dynamodb/partitionCleanup.ts';
import { queryPage } from '#shared/storage/dynamodb/query.ts';
import { dropParticipations, dropUnlessChanged, Participant } from './participants.ts';
import { findAnyUser, isStillEnding, removeEndingUser } from './users.ts';
import { listWorkflowsOf } from './workflows.ts';

/**
 * Removes the timeline, the participants and everything else of one life of a conversation. Its writers' clocks may
 * have been ahead of the deleter's by {@link CLOCK_SKEW_MS}; later entries belong to the next life.
 * @throws OutOfTime
 */
export async function clearConversation(
  {
    botId,
    conversationId,
    generation,
    deletedAtMs,
  }: { botId: string; conversationId: string; generation: number; deletedAtMs: number },
  progress: Progress,
): Promise<void> {
  const pk = conversationPk(botId, conversationId);
  const end = timelineKey(botId, conversationId, encodeTime(deletedAtMs + CLOCK_SKEW_MS)).sk;
  let after: Record<string, unknown> | undefined;
  do {
    if (!progress.isTimeLeft()) throw new OutOfTime();
    const { items, next } = await queryPage({
      KeyConditionExpression: 'pk = :pk AND sk <= :end',
      ExpressionAttributeValues: { ':pk': pk, ':end': end },
      Limit: 500,
      ExclusiveStartKey: after,
    });
    const entries = items.filter(({ sk, g = 0 }) => sk !== conversationSk && !isParticipantKey(sk) && g <= generation);
    const participants = items.filter(item => isParticipantKey(item.sk) && item.generation <= generation);
    // The key of an entry is never used again, that of a participant is: only the latter needs a condition.
    await removeAll(entries.map(({ sk }) => ({ pk, sk })));
    for (const item of participants) await dropUnlessChanged(botId, Participant.parse(item));
    progress.removed += entries.length + participants.length;
    after = next;
  } while (after);
  // Only the references: the workflows themselves stay.
  for await (const { sortKey } of listWorkflowsOf(botId, conversationId, allUntil(deletedAtMs))) {
    await removeAll([{ pk, sk: `${workflowOfPrefix}${sortKey}` }]);
    progress.removed++;
  }
}

/**
 * Finishes the deletion of a user, and removes the states of that life.
 * @throws OutOfTime
 */
export async function clearUser(
  { botId, userId, generation, endingAtMs }: { botId: string; userId: string; generation: string; endingAtMs: number },
  progress: Progress,
): Promise<void> {
  const ending = { id: userId, generation, endingAtMs };
  // Once the deletion has ended, the same key may have created the user again, in the same generation.
  const joinedUntilMs = (await isStillEnding(botId, ending)) ? Number.POSITIVE_INFINITY : endingAtMs;
  const { removed, isDone } = await dropParticipations(botId, ending, joinedUntilMs, progress.isTimeLeft);
  progress.removed += removed;
  if (!isDone) throw new OutOfTime();
  await removeEndingUser(botId, ending);
  // A user created anew under the same id keeps everything since then.
  const untilMs = (await findAnyUser(botId, userId))?.createdAtMs ?? clock.now();
  await clearStates(botId, userId, untilMs, progress);
}

async function clearStates(botId: string, userId: string, untilMs: number, progress: Progress): Promise<void> {
  const { pk } = userKey(botId, userId);
  for await (const { item } of partitionList(pk, statePrefix, { direction: 'asc', first: '', last: END })) {
    if (item.createdAtMs >= untilMs) continue;
    await removeAll([timerKey(item as Key), { pk, sk: item.sk }]);
    progress.removed++;
  }
  for await (const { item } of partitionList(pk, workflowOfPrefix, allUntil(untilMs - 1))) {
    await removeAll([{ pk, sk: item.sk }]);
    progress.removed++;
  }
}

const CHAT = ['conversations', 'workflows', 'events', 'states', 'botUser', 'workflowClaims'];

/** Removes all conversations, users, workflows, events and states of a bot. @throws OutOfTime */
export async function clearChat(botId: string, progress: Progress): Promise<void> {
  await clearSections('bot', botId, CHAT, progress);
  await clearSections('bot', botId, ['users'], progress, pk => clearParticipations(pk, progress));
}

/**
 * A participation whose conversation was never written is in no list but its user's.
 * @param userPk the user's partition
 */
async function clearParticipations(userPk: string, progress: Progress): Promise<void> {
  for await (const page of inChunks(indexKeys('gsi2', userPk, { direction: 'asc', first: '', last: END }), 100)) {
    if (!progress.isTimeLeft()) throw new OutOfTime();
    await removeAll(page.map(({ item: { pk, sk } }) => ({ pk, sk })));
    progress.removed += page.length;
  }
}

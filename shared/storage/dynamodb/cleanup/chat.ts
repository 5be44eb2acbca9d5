import { clock } from '#shared/core/clock.ts';
import { CLOCK_SKEW_MS, encodeTime } from '#shared/core/ids.ts';
import { dropUnlessChanged, Participant } from '#shared/storage/dynamodb/chat/participants.ts';
import { dropParticipations } from '#shared/storage/dynamodb/chat/participations.ts';
import { findAnyUser, isStillEnding, removeEndingUser } from '#shared/storage/dynamodb/chat/users.ts';
import { listWorkflowsOf } from '#shared/storage/dynamodb/chat/workflows.ts';
import { OutOfTime, type Progress, removeAll } from '#shared/storage/dynamodb/engine/partitionCleanup.ts';
import { queryPage } from '#shared/storage/dynamodb/engine/query.ts';
import {
  conversationPk,
  conversationSk,
  isParticipantKey,
  statePrefix,
  timelineKey,
  userKey,
  workflowOfPrefix,
} from '#shared/storage/dynamodb/keys/chat.ts';
import { GENERATION } from '#shared/storage/dynamodb/keys/generation.ts';
import type { Key } from '#shared/storage/dynamodb/keys/table.ts';
import { timerKey } from '#shared/storage/dynamodb/keys/timers.ts';
import { END, inChunks, indexKeys, partitionList, rangeUntil } from '#shared/storage/dynamodb/lists/lists.ts';
import { clearSections } from './clearSections.ts';

/** Deletes one generation of a conversation. The writers' clocks may have been ahead. @throws OutOfTime */
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
    const entries = items.filter(
      ({ sk, [GENERATION]: of = 0 }) => sk !== conversationSk && !isParticipantKey(sk) && of <= generation,
    );
    const participants = items.filter(item => isParticipantKey(item.sk) && item.generation <= generation);
    // Keys of participants are reused, so their deletion is conditional. Keys of entries are not.
    await removeAll(entries.map(({ sk }) => ({ pk, sk })));
    for (const item of participants) await dropUnlessChanged(botId, Participant.parse(item));
    progress.removed += entries.length + participants.length;
    after = next;
  } while (after);
  for await (const { sortKey } of listWorkflowsOf(botId, conversationId, rangeUntil(deletedAtMs))) {
    await removeAll([{ pk, sk: `${workflowOfPrefix}${sortKey}` }]);
    progress.removed++;
  }
}

/** Completes the deletion of a user, including the states of that generation. @throws OutOfTime */
export async function clearUser(
  { botId, userId, generation, endingAtMs }: { botId: string; userId: string; generation: string; endingAtMs: number },
  progress: Progress,
): Promise<void> {
  const ending = { id: userId, generation, endingAtMs };
  // After the deletion, the same key may have re-created the user in the same generation.
  const joinedUntilMs = (await isStillEnding(botId, ending)) ? Number.POSITIVE_INFINITY : endingAtMs;
  const { removed, isDone } = await dropParticipations(botId, ending, joinedUntilMs, progress.isTimeLeft);
  progress.removed += removed;
  if (!isDone) throw new OutOfTime();
  await removeEndingUser(botId, ending);
  // A user re-created under the same id keeps newer data.
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
  for await (const { item } of partitionList(pk, workflowOfPrefix, rangeUntil(untilMs - 1))) {
    await removeAll([{ pk, sk: item.sk }]);
    progress.removed++;
  }
}

const CHAT = ['conversations', 'workflows', 'events', 'states', 'savedReplies', 'botUser', 'workflowClaims'];

export async function clearChat(botId: string, progress: Progress): Promise<void> {
  await clearSections('bot', botId, CHAT, progress);
  await clearSections('bot', botId, ['users'], progress, pk => clearParticipations(pk, progress));
  await clearSections('bot', botId, ['userTerms'], progress);
}

/** Deletes participations whose conversation was never written. They are only in the user's list. */
async function clearParticipations(userPk: string, progress: Progress): Promise<void> {
  for await (const page of inChunks(indexKeys('gsi2', userPk, { direction: 'asc', first: '', last: END }), 100)) {
    if (!progress.isTimeLeft()) throw new OutOfTime();
    await removeAll(page.map(({ item: { pk, sk } }) => ({ pk, sk })));
    progress.removed += page.length;
  }
}

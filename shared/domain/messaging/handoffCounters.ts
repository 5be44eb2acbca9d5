/**
 * Counters of handoffs for reports (docs/api/botChat.md#reports). They are part of the transaction of the transition
 * that they count, so each transition is counted once.
 */
import { decodeTime } from '#shared/core/ids.ts';
import {
  addToBot,
  addToMember,
  countDuration,
  countOne,
  countRating,
} from '#shared/storage/dynamodb/bots/reportCounters.ts';
import { type Handoff, type HandoffRating, startedAtMs } from '#shared/storage/dynamodb/chat/handoffs.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';

/** @param isFirst true for the first handoff of the conversation */
export function countStart(botId: string, handoff: Handoff, { isFirst }: { isFirst: boolean }): Write[] {
  const { conversationId, member } = handoff;
  const atMs = startedAtMs(handoff);
  const assigned = member ? countOne('assigned', atMs) : [];
  return [
    ...addToBot(botId, conversationId, [
      ...countOne('started', atMs),
      ...(isFirst ? countOne('handedOver', atMs) : []),
      ...assigned,
    ]),
    ...(member ? addToMember(botId, member, assigned) : []),
  ];
}

/** Counts an assignment, and the waiting time if the handoff was in the queue. A return to the queue counts nothing. */
export function countAssignment(botId: string, before: Handoff, { conversationId, member, change }: Handoff): Write[] {
  if (!member) return [];
  const atMs = decodeTime(change);
  const increments = [
    ...countOne('assigned', atMs),
    ...(before.status === 'waiting' ? countDuration('waiting', decodeTime(before.change), atMs) : []),
  ];
  return [...addToBot(botId, conversationId, increments), ...addToMember(botId, member, increments)];
}

export function countFirstReply(botId: string, handoff: Handoff, atMs: number): Write[] {
  const { conversationId, member } = handoff;
  const increments = countDuration('firstResponse', startedAtMs(handoff), atMs);
  return [...addToBot(botId, conversationId, increments), ...addToMember(botId, member!, increments)];
}

/** Counts the end of a closed handoff. */
export function countEnd(botId: string, handoff: Handoff): Write[] {
  const { conversationId, member } = handoff;
  const atMs = decodeTime(handoff.endPosition!);
  const increments = [
    ...countDuration('resolution', startedAtMs(handoff), atMs),
    ...(handoff.outcome === 'resolved' ? countOne('resolved', atMs) : []),
  ];
  return [...addToBot(botId, conversationId, increments), ...(member ? addToMember(botId, member, increments) : [])];
}

/** Counts a rating in the hour in which the closed handoff ended, and removes the one that it replaces. */
export function countHandoffRating(botId: string, handoff: Handoff, { value }: HandoffRating): Write[] {
  const { conversationId, member, rating: replaced } = handoff;
  const atMs = decodeTime(handoff.endPosition!);
  const increments = [
    ...countRating(value, atMs),
    ...(replaced === undefined ? [] : countRating(replaced.value, atMs, -1)),
  ];
  return [...addToBot(botId, conversationId, increments), ...(member ? addToMember(botId, member, increments) : [])];
}

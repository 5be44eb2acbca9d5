import { expect, it } from 'vitest';
import { positionAt, timelineId } from '#shared/core/ids.ts';
import { countEnd } from '#shared/domain/messaging/handoffCounters.ts';
import type { Handoff } from '#shared/storage/dynamodb/chat/handoffs.ts';

const MINUTE_MS = 60_000;

/** A handoff of 10 minutes that ended at 10:30. */
function closed(fields: object = {}): Handoff {
  const endMs = Date.parse('2026-05-04T10:30:00Z');
  const bot = { type: 'bot' as const, id: 'bot', name: 'Bot' };
  const conversationId = 'convo_0000000000000000000000';
  return {
    id: timelineId('handoff', conversationId, positionAt(endMs - 10 * MINUTE_MS)),
    conversationId,
    webhookId: '',
    status: 'closed',
    startedBy: bot,
    endedBy: bot,
    endPosition: positionAt(endMs),
    change: positionAt(endMs),
    version: 2,
    generation: undefined,
    ...fields,
  };
}

const updates = (handoff: Handoff) =>
  countEnd('bot', handoff).map(write => ('update' in write ? write.update : undefined)!);

it('counts the end of a handoff with its duration, in the hour of the end', () => {
  const [ofBot, ...others] = updates(closed());

  expect(others).toEqual([]);
  expect(ofBot!.Key.sk).toMatch(/^bot#2026-05-04#\d$/);
  expect(ofBot!.ExpressionAttributeValues).toEqual({ ':d10': 600, ':d10e': 1 });
});

it('counts the outcome resolved, also for the member who was assigned', () => {
  const member = { id: 'ada', name: 'Ada', userId: 'user_1' };

  const [ofBot, ofMember] = updates(closed({ outcome: 'resolved', member }));

  expect(ofBot!.ExpressionAttributeValues).toEqual({ ':d10': 600, ':d10e': 1, ':v10': 1 });
  expect(ofMember!.Key.sk).toBe('member#2026-05-04#ada');
  expect(ofMember!.ExpressionAttributeValues).toEqual({ ':d10': 600, ':d10e': 1, ':v10': 1, ':name': 'Ada' });
});

import { DAY_MS } from '#shared/core/calendar.ts';
import { ApiError, notFound } from '#shared/core/errors.ts';
import { decodeTime } from '#shared/core/ids.ts';
import type { Handoff } from '#shared/storage/dynamodb/chat/handoffs.ts';

const RATABLE_DAYS = 7;

/**
 * Returns the handoff that a user may rate: the latest closed one.
 * @throws ApiError ResourceNotFound without a handoff, RelationConflict before its end or more than 7 days after it
 */
export function requireRatable(
  { latest, closed }: { latest: Handoff | undefined; closed: Handoff | undefined },
  nowMs: number,
): Handoff {
  if (!latest) throw notFound('A handoff of the conversation');
  if (!closed) throw new ApiError('RelationConflict', 'The handoff has not ended. Rate it after its end.');
  if (nowMs - decodeTime(closed.endPosition!) <= RATABLE_DAYS * DAY_MS) return closed;
  throw new ApiError(
    'RelationConflict',
    `The handoff ended more than ${RATABLE_DAYS} days ago. Rate handoffs earlier.`,
  );
}

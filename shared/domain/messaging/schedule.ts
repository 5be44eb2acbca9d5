/** Schedules of messages and events (docs/api/botChat.md#scheduling). */
import * as z from 'zod/mini';
import { invalidPayload } from '#shared/core/errors.ts';

export const YEAR_MS = 366 * 24 * 3600 * 1000;

export const schedule = () =>
  z
    .object({
      dateTime: z.optional(z.iso.datetime({ offset: true })),
      delay: z.optional(z.int().check(z.minimum(0), z.maximum(YEAR_MS))),
    })
    .check(
      z.refine(({ dateTime, delay }) => (dateTime === undefined) !== (delay === undefined), {
        error: 'Exactly one of dateTime and delay is required.',
      }),
    );

/**
 * Returns the time of a schedule. A time in the past is due now.
 * @throws ApiError InvalidPayload if it is more than a year ahead
 */
export function dueMsOf(
  schedule: { dateTime?: string | undefined; delay?: number | undefined } | undefined,
  nowMs: number,
): number | undefined {
  if (!schedule) return undefined;
  const dueMs = schedule.dateTime === undefined ? nowMs + schedule.delay! : Date.parse(schedule.dateTime);
  if (dueMs > nowMs + YEAR_MS) throw invalidPayload('Must be within a year.', 'schedule.dateTime');
  return Math.max(dueMs, nowMs);
}

/** When a message or event is to happen (docs/api/botChat.md#scheduling). */
import * as z from 'zod/mini';
import { invalidPayload } from '#shared/core/errors.ts';

/** The furthest that anything can be scheduled ahead. */
export const YEAR_MS = 366 * 24 * 3600 * 1000;

/** A schedule: a time, or a delay in milliseconds. */
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
 * The time that a schedule names, undefined without a schedule; a past time is due now.
 * @throws ApiError InvalidPayload when it is more than a year ahead
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

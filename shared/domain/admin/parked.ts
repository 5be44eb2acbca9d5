/** What is parked of a bot, as its members see it. */
import * as z from 'zod/mini';
import { dateTime, iso } from '#shared/api/views.ts';
import type { Parked } from '#shared/storage/dynamodb/parked.ts';

export const ParkedView = z.object({
  id: z.string(),
  /** What failed: a reaction to a change, or the queue of a job. */
  task: z.string(),
  /** The key of the changed record. */
  about: z.optional(z.string()),
  /** The kind of error; its text is the operator's, because it may name what is theirs. */
  error: z.string(),
  parkedAt: dateTime(),
  /** When a redrive was last requested, and how many failed. */
  redrivenAt: z.optional(dateTime()),
  failures: z.number(),
});

export const viewParked = ({ id, task, about, error, parkedAtMs, repeatedAtMs, failures }: Parked) => ({
  id,
  task,
  about,
  error: error.split(':', 1)[0]!,
  parkedAt: iso(parkedAtMs),
  redrivenAt: repeatedAtMs === undefined ? undefined : iso(repeatedAtMs),
  failures,
});

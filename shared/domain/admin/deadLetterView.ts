import * as z from 'zod/mini';
import { dateTime, iso } from '#shared/api/views.ts';
import type { DeadLetter } from '#shared/storage/dynamodb/maintenance/deadLetters.ts';

export const DeadLetterView = z.object({
  id: z.string(),
  task: z.string(),
  about: z.optional(z.string()),
  /** The kind of error. Its text is only for the operator, because it may contain operator data. */
  error: z.string(),
  parkedAt: dateTime(),
  redrivenAt: z.optional(dateTime()),
  failures: z.number(),
});

export const viewDeadLetter = ({ id, task, about, error, parkedAtMs, repeatedAtMs, failures }: DeadLetter) => ({
  id,
  task,
  about,
  error: error.split(':', 1)[0]!,
  parkedAt: iso(parkedAtMs),
  redrivenAt: repeatedAtMs === undefined ? undefined : iso(repeatedAtMs),
  failures,
});

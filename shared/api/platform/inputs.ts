/** Inputs that several groups share. */
import * as z from 'zod/mini';
import { verbatim } from '#shared/api/verbatim.ts';
import { invalidPayload } from '#shared/errors.ts';
import { TAGS_LIMIT } from '#shared/mapChanges.ts';
import { text } from '#shared/text.ts';
import { orJson } from './parsePlatformInput.ts';

/** The contract's limits (docs/compatibility.md#tags). */
const TAG_VALUE_LENGTH = 500;
const TAG_NAME_LENGTH = 100;

/** Dots and brackets address nested fields in a query (docs/compatibility.md#query-encoding). */
const TAG_NAME = /^[^.[\]\s]+$/;

function issueOfName(name: string): string | undefined {
  if (name.length > TAG_NAME_LENGTH) return `A name must have at most ${TAG_NAME_LENGTH} characters.`;
  return !TAG_NAME.test(name) || name === '__proto__' || !name.isWellFormed()
    ? 'A name must not be empty or contain dots, brackets or spaces.'
    : undefined;
}

export const isTagName = (name: string) => issueOfName(name) === undefined;

/** A map of tag names to values. Every issue names its path. */
export const tagsOf = <S extends z.ZodMiniType>(value: S) =>
  z.record(z.string(), value).check(({ value: map, issues }) => {
    for (const name of Object.keys(map)) {
      const message = issueOfName(name);
      if (message) issues.push({ code: 'custom', message, path: [name], input: name });
    }
    if (Object.keys(map).length > TAGS_LIMIT) {
      issues.push({ code: 'custom', message: `At most ${TAGS_LIMIT} entries are allowed.`, input: map });
    }
  });

const value = () => text(TAG_VALUE_LENGTH);
/** Tags of a new record; an empty value counts as absent. */
export const tags = () => tagsOf(value());
/** Changes of tags; an empty value or null removes one. */
export const tagChanges = () => tagsOf(z.nullable(value()));
/** Properties and attributes are limited like tags. */
export const properties = () => tags();
export const propertyChanges = () => tagChanges();

/** Drops empty values and nulls. */
export const present = (map: Record<string, string | null> | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(map ?? {}).filter((entry): entry is [string, string] => Boolean(entry[1])));

/** The tag names by which get-or-create tells records apart. */
export const discriminators = () => z.array(text(TAG_NAME_LENGTH)).check(z.maxLength(TAGS_LIMIT));

export const channel = () => text(200).check(z.minLength(1));
export const integrationName = () => text(200);
export const typeName = () => text(200).check(z.minLength(1));
export const id = () => text(200).check(z.minLength(1));

export const userFields = {
  name: z.optional(text(1_000)),
  pictureUrl: z.optional(text(20_000)),
};

/** Any JSON object, stored as it comes. */
export const anything = () => verbatim(z.record(z.string(), z.any()));

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
 * The time that a schedule names, undefined without a schedule; a past time is due now (docs/compatibility.md#scheduling).
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

/** A date in a query, as milliseconds. */
const date = () =>
  z.pipe(
    z.iso.datetime({ offset: true }),
    z.transform(text => Date.parse(text)),
  );

const direction = z.enum(['asc', 'desc']);
export const sorting = {
  sortField: z.optional(z.enum(['createdAt', 'updatedAt'])),
  sortDirection: z.optional(direction),
};
export const dates = { afterDate: z.optional(date()), beforeDate: z.optional(date()) };
export const queryTags = () => orJson(tags());
export const queryNumber = () =>
  z.pipe(z.string().check(z.regex(/^\d{1,9}$/, { error: 'Must be a whole number' })), z.transform(Number));

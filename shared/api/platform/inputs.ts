/** Inputs that several bot-level operations share. */
import * as z from 'zod/mini';
import { verbatim } from '#shared/api/verbatim.ts';
import { invalidPayload } from '#shared/errors.ts';
import { text } from '#shared/text.ts';
import { orJson } from './parsePlatformInput.ts';

/** The contract's limits on a tag's value, and the issue's on how many a record has. */
const TAG_VALUE_LENGTH = 500;
const TAG_NAME_LENGTH = 100;
export const TAGS_LIMIT = 50;

/** A dot or bracket would lead into an object in a query (FACTS 1.1). */
const TAG_NAME = /^[^.[\]\s]+$/;

const faultOfName = (name: string) =>
  name.length > TAG_NAME_LENGTH
    ? `A name has at most ${TAG_NAME_LENGTH} characters.`
    : !TAG_NAME.test(name) || name === '__proto__' || !name.isWellFormed()
      ? 'A name is not empty, and has no dots, brackets or spaces.'
      : undefined;

export const isTagName = (name: string) => faultOfName(name) === undefined;

/** A map of names to values that may each be limited; every fault is named by its path. */
export const tagsOf = <S extends z.ZodMiniType>(value: S) =>
  z.record(z.string(), value).check(({ value: map, issues }) => {
    for (const name of Object.keys(map)) {
      const fault = faultOfName(name);
      if (fault) issues.push({ code: 'custom', message: fault, path: [name], input: name });
    }
    if (Object.keys(map).length > TAGS_LIMIT) {
      issues.push({ code: 'custom', message: `At most ${TAGS_LIMIT} of these.`, input: map });
    }
  });

const value = () => text(TAG_VALUE_LENGTH);
/** Of what is created: an empty value is as good as none. */
export const tags = () => tagsOf(value());
/** Of what is changed: an empty value or null takes one away. */
export const tagChanges = () => tagsOf(z.nullable(value()));
/** Properties and attributes are limited like tags. */
export const properties = () => tags();
export const propertyChanges = () => tagChanges();

/** Without those that are as good as none. */
export const present = (map: Record<string, string | null> | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(map ?? {}).filter((entry): entry is [string, string] => Boolean(entry[1])));

/** The names of tags by which get-or-create tells records apart. */
export const discriminators = () => z.array(text(TAG_NAME_LENGTH)).check(z.maxLength(TAGS_LIMIT));

export const channel = () => text(200).check(z.minLength(1));
export const integrationName = () => text(200);
export const typeName = () => text(200).check(z.minLength(1));
export const id = () => text(200).check(z.minLength(1));

export const userFields = {
  name: z.optional(text(1_000)),
  pictureUrl: z.optional(text(20_000)),
};

/** Any JSON object, kept as it comes. */
export const anything = () => verbatim(z.record(z.string(), z.any()));

/** What is to happen, happens within it. */
export const YEAR_MS = 366 * 24 * 3600 * 1000;

/** When something is to happen: at a time, or so many milliseconds from now. */
export const schedule = () =>
  z
    .object({
      dateTime: z.optional(z.iso.datetime({ offset: true })),
      delay: z.optional(z.int().check(z.minimum(0), z.maximum(YEAR_MS))),
    })
    .check(
      z.refine(({ dateTime, delay }) => (dateTime === undefined) !== (delay === undefined), {
        error: 'Either dateTime or delay must be given, and not both.',
      }),
    );

/** The time that a schedule names; undefined if there is none. What is past is due at once. @throws ApiError InvalidPayload */
export function dueMsOf(
  schedule: { dateTime?: string | undefined; delay?: number | undefined } | undefined,
  nowMs: number,
): number | undefined {
  if (!schedule) return undefined;
  const dueMs = schedule.dateTime === undefined ? nowMs + schedule.delay! : Date.parse(schedule.dateTime);
  if (dueMs > nowMs + YEAR_MS) throw invalidPayload('Must be within a year.', 'schedule.dateTime');
  return Math.max(dueMs, nowMs);
}

/** A date of a query, or the same as milliseconds. */
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

/** Tags as inputs of several groups (docs/compatibility.md#tags). */
import * as z from 'zod/mini';
import { TAGS_LIMIT } from '#shared/mapChanges.ts';
import { text } from '#shared/text.ts';
import { orJson } from './queryInputs.ts';

/** The contract's limits. */
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

export const tagName = () => text(TAG_NAME_LENGTH);
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

/** Drops empty values and nulls. */
export const present = (map: Record<string, string | null> | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(map ?? {}).filter((entry): entry is [string, string] => Boolean(entry[1])));

export const queryTags = () => orJson(tags());

import * as z from 'zod/mini';
import { TAGS_LIMIT } from '#shared/core/mapChanges.ts';
import { isInvisible, text } from '#shared/core/text.ts';
import { orJson } from './queryInputs.ts';

const TAG_VALUE_LENGTH = 500;
const TAG_NAME_LENGTH = 100;

/** Dots and brackets address nested fields in a query (docs/api/conventions.md#query-encoding). */
const TAG_NAME = /^[^.[\]\s]+$/;

const ALIAS_LENGTH = 200;

/** Returns the length limit of a name. Bots see an integration's names as `<alias>:<name>`. */
export const lengthWithAlias = (name: string, length: number): number =>
  name.includes(':') ? ALIAS_LENGTH + 1 + length : length;

function issueOfName(name: string, length: number): string | undefined {
  if (name.length > length) return `A name must have at most ${length} characters.`;
  return !TAG_NAME.test(name) || isInvisible(name) || !name.isWellFormed()
    ? 'A name must have a visible character, and no dots, brackets or spaces.'
    : undefined;
}

const lengthOf = (name: string) => lengthWithAlias(name, TAG_NAME_LENGTH);

export const tagName = () => text(ALIAS_LENGTH + 1 + TAG_NAME_LENGTH);
export const isTagName = (name: string) => issueOfName(name, lengthOf(name)) === undefined;
/** File tags are shared between integrations, so their names have no alias. */
export const isFileTagName = (name: string) => issueOfName(name, TAG_NAME_LENGTH) === undefined;

export const fileTagsOf = <S extends z.ZodMiniType>(value: S) => mapOfTags(value, () => TAG_NAME_LENGTH);

const mapOfTags = <S extends z.ZodMiniType>(value: S, mostOf: (name: string) => number) =>
  z.record(z.string(), value).check(({ value: map, issues }) => {
    for (const name of Object.keys(map)) {
      const message = issueOfName(name, mostOf(name));
      if (message) issues.push({ code: 'custom', message, path: [name], input: name });
    }
    if (Object.keys(map).length > TAGS_LIMIT) {
      issues.push({ code: 'custom', message: `At most ${TAGS_LIMIT} entries are allowed.`, input: map });
    }
  });

const value = () => text(TAG_VALUE_LENGTH);
export const tags = () => mapOfTags(value(), lengthOf);
export const tagChanges = () => mapOfTags(z.nullable(value()), lengthOf);

export const present = (map: Record<string, string | null> | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(map ?? {}).filter((entry): entry is [string, string] => Boolean(entry[1])));

export const queryTags = () => orJson(tags());

/** Tags that identify records in get-or-create (docs/api/botChat.md#get-or-create). */

import { present } from '#shared/api/platform/tagInputs.ts';
import { invalidPayload } from '#shared/core/errors.ts';
import { own } from '#shared/core/own.ts';
import type { Tags } from '#shared/storage/dynamodb/tags/tags.ts';
import { type CallerScope, storedNames } from './callerScope.ts';

export interface TagMatch {
  tags: Tags;
  /** Tags that a match must have; never empty. */
  discriminators: Tags;
  /** Without `discriminateByTags`, a match has no other tags. */
  isExact: boolean;
}

/**
 * @returns undefined without discriminating tags: each call creates another record
 * @throws ApiError InvalidPayload for a discriminator without a tag
 */
export function tagMatchOf(
  scope: Pick<CallerScope, 'installation'>,
  input: { tags?: Record<string, string | null> | undefined; discriminateByTags?: readonly string[] | undefined },
): TagMatch | undefined {
  const given = present(input.tags);
  const discriminators = storedNames(scope, pickTags(given, input.discriminateByTags));
  if (Object.keys(discriminators).length === 0) return undefined;
  return { tags: storedNames(scope, given), discriminators, isExact: input.discriminateByTags === undefined };
}

function pickTags(tags: Tags, names: readonly string[] | undefined): Tags {
  if (names === undefined) return tags;
  return Object.fromEntries(
    names.map(name => {
      const value = own(tags, name);
      if (value === undefined) {
        throw invalidPayload(`Must name tags in the field tags, not ${name}.`, 'discriminateByTags');
      }
      return [name, value];
    }),
  );
}

/** @param derived tags computed from the record, which count as its own */
export const hasTags = (tags: Tags, expected: Tags, derived: Tags = {}): boolean =>
  Object.entries(expected).every(([key, value]) => tags[key] === value || derived[key] === value);

export const matchesTags = ({ discriminators, isExact }: TagMatch, tags: Tags, derived: Tags = {}): boolean =>
  hasTags(tags, discriminators, derived) &&
  (!isExact || Object.keys(tags).every(key => Object.hasOwn(discriminators, key)));

/** Returns the same text for the same tags, regardless of order. */
export const canonicalTags = (tags: Tags): string =>
  JSON.stringify(Object.entries(tags).sort(([a], [b]) => (a < b ? -1 : 1)));

/**
 * Returns false if the tag index cannot contain a match, because the value of a discriminator was never used, as for
 * every new external record.
 * @param areKnown true for each tag whose value was ever used
 */
export function mayBeTagged({ tags, discriminators }: TagMatch, areKnown: readonly boolean[]): boolean {
  const names = Object.keys(tags);
  return Object.keys(discriminators).every(name => areKnown[names.indexOf(name)]);
}

import * as z from 'zod/mini';
import { lengthWithAlias, tagChanges, tagName, tags } from '#shared/api/platform/tagInputs.ts';
import { verbatim } from '#shared/api/verbatim.ts';
import { TAGS_LIMIT } from '#shared/core/mapChanges.ts';
import { displayName, text, visible, wellFormed } from '#shared/core/text.ts';

const TYPE_LENGTH = 200;

/** Properties and attributes are limited like tags. */
export const properties = () => tags();
export const propertyChanges = () => tagChanges();

/** Tag names that identify records in get-or-create. */
export const discriminators = () => z.array(tagName()).check(z.maxLength(TAGS_LIMIT));

export const channel = () => displayName(200);
export const integrationName = () => text(200);
export const typeName = () => displayName(TYPE_LENGTH);
/** Type of an event or action. An integration's types start with its alias. */
export const typeWithAlias = () =>
  z.string().check(
    z.minLength(1),
    wellFormed(),
    visible(),
    z.refine(type => type.length <= lengthWithAlias(type, TYPE_LENGTH), {
      error: `Must have at most ${TYPE_LENGTH} characters, after an alias`,
    }),
  );
export const id = () => text(200).check(z.minLength(1));

export const userFields = {
  name: z.optional(text(1_000)),
  pictureUrl: z.optional(text(20_000)),
};

export const anything = () => verbatim(z.record(z.string(), z.any()));

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
export const queryNumber = () =>
  z.pipe(z.string().check(z.regex(/^\d{1,9}$/, { error: 'Must be a whole number' })), z.transform(Number));

import * as z from 'zod/mini';
import { displayName, optionalName, text, visible, wellFormed } from '#shared/core/text.ts';

export const name = () => displayName(200);
/** Source code and secrets, which are stored as UTF-8. */
export const content = () => z.string().check(wellFormed());
export const note = () => optionalName(500);
export const email = () => z.email({ error: 'Must be an e-mail address' }).check(z.maxLength(320));

export const httpUrl = () =>
  z.string().check(
    z.maxLength(2_000),
    z.refine<string>(value => /^https?:$/.test(URL.parse(value)?.protocol ?? ''), {
      error: 'Must be an http or https URL',
    }),
  );

const key = () => z.string().check(z.minLength(1), z.maxLength(200), wellFormed(), visible());
export const mapOf = <S extends z.ZodMiniType>(value: S) => z.record(key(), value);
export const anyObject = () => z.record(z.string(), z.any());

const TAGS_LIMIT = 100;
const tagValue = () => text(500);
export const tags = () =>
  mapOf(tagValue()).check(
    z.refine(map => Object.keys(map).length <= TAGS_LIMIT, { error: `Must have at most ${TAGS_LIMIT} tags` }),
  );
export const tagChanges = () => mapOf(z.nullable(tagValue()));

const titled = { title: z.optional(optionalName(200)), description: z.optional(text(2_000)) };
const attributes = () => mapOf(z.nullable(text(2_000)));

export const TagDefinition = z.looseObject(titled);
export const StateDefinition = <const T extends string>(...types: [T, ...T[]]) =>
  z.looseObject({ type: z.enum(types), schema: anyObject(), expiry: z.optional(z.number()) });
export const EventDefinition = z.looseObject({
  ...titled,
  schema: anyObject(),
  attributes: z.optional(attributes()),
});
export const ActionDefinition = z.looseObject({
  ...titled,
  billable: z.optional(z.boolean()),
  cacheable: z.optional(z.boolean()),
  input: z.looseObject({ schema: anyObject() }),
  output: z.looseObject({ schema: anyObject() }),
  attributes: z.optional(attributes()),
});

export const moment = () => z.iso.datetime({ offset: true, error: 'Must be a date and time (ISO 8601)' });

export const tokenFields = {
  expiresAt: z.optional(moment()),
  scopes: z.optional(z.array(z.string()).check(z.minLength(1), z.maxLength(50))),
};

export const Entity = z.looseObject({
  title: z.optional(optionalName(200)),
  description: z.optional(text(2_000)),
  schema: anyObject(),
});

/** The name of an integration, interface or plugin, which takes up to two path segments. */
export const packageName = () =>
  text(100).check(
    z.regex(/^[A-Za-z0-9][A-Za-z0-9_-]*(?:\/[A-Za-z0-9][A-Za-z0-9_-]*)?$/, {
      error: 'Must consist of letters, digits, - and _, optionally after a workspace handle and one /',
    }),
    // Conflicts with `/integrations/iaks/{id}`.
    z.refine(text => text !== 'iaks', { error: 'This name is reserved' }),
  );
export const packageVersion = () =>
  text(50).check(z.regex(/^\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.-]+)?$/, { error: 'Must be a version like 1.0.0' }));

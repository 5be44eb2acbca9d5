/** Fields that a guest completes before the first message, as details of the user. */
import type { ChatField } from './package/index.d.ts';
import type { UserFields } from './userDetails.ts';

/** Undefined for the name of the user. */
const attributeOf = ({ kind, attribute }: ChatField): string | undefined =>
  kind === 'name' ? undefined : kind === 'text' ? attribute : kind;

const isKnown = (field: ChatField, known: UserFields | undefined): boolean => {
  const attribute = attributeOf(field);
  return Boolean(attribute === undefined ? known?.name : known?.attributes?.[attribute]);
};

/** Returns the fields that the page has not set. */
export const fieldsToAsk = (fields: readonly ChatField[] | undefined, known: UserFields | undefined): ChatField[] =>
  (fields ?? []).filter(field => !isKnown(field, known));

/** @param values in the order of the fields; an empty one changes nothing */
export function userFieldsOf(fields: readonly ChatField[], values: readonly string[]): UserFields {
  const user: UserFields = {};
  for (const [i, field] of fields.entries()) {
    const value = values[i]?.trim();
    const attribute = attributeOf(field);
    if (!value) continue;
    if (attribute === undefined) user.name = value;
    else user.attributes = { ...user.attributes, [attribute]: value };
  }
  return user;
}

/** Details of the user that the page sets. */
import { imageAddress } from './addresses.ts';
import { USER_LIMITS } from './limits.ts';
import type { ChatUser } from './package/index.d.ts';

/** Fields of the chat API's user. */
export interface UserFields {
  name?: string;
  pictureUrl?: string;
  attributes?: Record<string, string | null>;
}

/** @throws Error that states the problem and the fix */
export function readUser({ name, pictureUrl, attributes }: ChatUser): UserFields {
  const fields: UserFields = {};
  if (isGiven(name)) fields.name = textOf('name', name, USER_LIMITS.name);
  if (isGiven(pictureUrl)) {
    const url = textOf('pictureUrl', pictureUrl, USER_LIMITS.pictureUrl);
    const address = imageAddress(url);
    if (!address) throw new Error('The pictureUrl of a user must be an https URL, or a data URL of an image.');
    fields.pictureUrl = address;
  }
  if (isGiven(attributes)) fields.attributes = attributesOf(attributes);
  return fields;
}

const isGiven = <Value>(value: Value | undefined | null): value is Value => value !== undefined && value !== null;

function textOf(field: string, value: unknown, longest: number): string {
  if (typeof value !== 'string') throw new Error(`The ${field} of a user must be a text.`);
  if (value.length <= longest) return value;
  throw new Error(`The ${field} of a user has ${value.length} characters. It can have at most ${longest}.`);
}

function attributesOf(given: unknown): Record<string, string | null> {
  if (typeof given !== 'object' || Array.isArray(given)) {
    throw new Error('The attributes of a user must be an object, as in { plan: "pro" }.');
  }
  const entries = Object.entries(given as object);
  if (entries.length > USER_LIMITS.attributes) {
    throw new Error(`A user can have at most ${USER_LIMITS.attributes} attributes.`);
  }
  return Object.fromEntries(entries.map(([name, value]) => [nameOf(name), attributeOf(name, value)]));
}

function nameOf(name: string): string {
  if (name.length <= USER_LIMITS.attributeName && /^[^.[\]\s]+$/.test(name)) return name;
  throw new Error(
    `The name of a user's attribute must have 1 to ${USER_LIMITS.attributeName} characters, and no dots, brackets or spaces.`,
  );
}

function attributeOf(name: string, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (!['string', 'number', 'boolean'].includes(typeof value)) {
    throw new Error(`The attribute ${name} of a user must be a text, a number, true, false or null.`);
  }
  return textOf(`attribute ${name}`, String(value), USER_LIMITS.attribute);
}

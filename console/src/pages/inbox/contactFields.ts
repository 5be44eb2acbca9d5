/** Fields of the contact of a customer, and the texts that a form of them holds. */
import type { Contact } from '../../api/contract.ts';

export const CONTACT_FIELDS = ['name', 'email', 'phone', 'company', 'jobTitle', 'location', 'about'] as const;
export type ContactField = (typeof CONTACT_FIELDS)[number];

/** Limits of the API. */
export const MAX_CHARACTERS = 200;
export const MAX_ABOUT_CHARACTERS = 1_000;

export type ContactTexts = Record<ContactField, string>;

export const textsOf = (contact: Contact | undefined): ContactTexts =>
  Object.fromEntries(CONTACT_FIELDS.map(field => [field, contact?.[field] ?? ''])) as ContactTexts;

/** Returns the changed fields only, so that a colleague's change of another one is kept. Null removes a field. */
export const changedFields = (
  before: ContactTexts,
  texts: ContactTexts,
): Partial<Record<ContactField, string | null>> =>
  Object.fromEntries(
    CONTACT_FIELDS.filter(field => texts[field].trim() !== before[field]).map(field => [
      field,
      texts[field].trim() || null,
    ]),
  );

/** Returns the messages of the API by field, or undefined if the error concerns no field. */
export function fieldErrorsOf(error: unknown): Partial<Record<ContactField, string>> | undefined {
  const { issues } =
    ((error ?? {}) as { metadata?: { issues?: { path?: unknown; message?: unknown }[] } }).metadata ?? {};
  const errors: Partial<Record<ContactField, string>> = {};
  for (const { path, message } of Array.isArray(issues) ? issues : []) {
    const field = CONTACT_FIELDS.find(each => String(path).split('.').at(-1) === each);
    if (field && typeof message === 'string') errors[field] = message.replace(/^[\w.]+: /, '');
  }
  return Object.keys(errors).length > 0 ? errors : undefined;
}

/** Address of a link that calls the number. Letters and punctuation are no part of it. */
export const telLink = (phone: string): string => `tel:${phone.replace(/(?!^\+)[^\d*#]/g, '')}`;

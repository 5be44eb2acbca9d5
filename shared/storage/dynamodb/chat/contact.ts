/** What members know of a user. Kept apart from names and attributes, which end users set themselves. */
import * as z from 'zod/mini';

export const CONTACT_FIELDS = ['name', 'email', 'phone', 'company', 'jobTitle', 'location', 'about'] as const;
export type ContactField = (typeof CONTACT_FIELDS)[number];

const field = z.optional(z.string());

export const Contact = z.object({
  name: field,
  email: field,
  phone: field,
  company: field,
  jobTitle: field,
  location: field,
  about: field,
} satisfies Record<ContactField, typeof field>);
export type Contact = z.infer<typeof Contact>;

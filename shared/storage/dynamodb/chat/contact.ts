/** What members know of a user. Kept apart from names and attributes, which end users set themselves. */
import * as z from 'zod/mini';

const field = z.optional(z.string());

export const Contact = z.object({
  name: field,
  email: field,
  phone: field,
  company: field,
  jobTitle: field,
  location: field,
  about: field,
});
export type Contact = z.infer<typeof Contact>;
export type ContactField = keyof Contact;

import * as z from 'zod/mini';

/** Path of a secret field in a configuration. Empty if all of it is secret. */
export type SecretPath = string[];

/** Signs deliveries, see `sealed.ts`. After a rotation, the old secret stays valid for a day. */
export const SigningSecret = z.object({ sealed: z.string(), untilMs: z.optional(z.number()) });
export type SigningSecret = z.infer<typeof SigningSecret>;

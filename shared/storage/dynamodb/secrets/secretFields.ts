/** Shapes of secrets that bots and integrations have in common. */
import * as z from 'zod/mini';

/** The keys that lead to a secret field of a configuration; empty when the whole configuration is secret. */
export type SecretPath = string[];

/** A secret that signs deliveries, see `sealed.ts`; after a rotation the old one stays valid for a day. */
export const SigningSecret = z.object({ sealed: z.string(), untilMs: z.optional(z.number()) });
export type SigningSecret = z.infer<typeof SigningSecret>;

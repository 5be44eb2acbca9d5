/** Signing secrets of bots and integrations, in the form of Standard Webhooks. */
import { randomBytes } from 'node:crypto';
import { sealText } from '#shared/storage/dynamodb/secrets/sealed.ts';
import type { SigningSecret } from '#shared/storage/dynamodb/secrets/secretPaths.ts';

/** A replaced secret stays valid for a day, as the contract requires. */
const OVERLAP_MS = 24 * 3600 * 1000;
const KEPT = 10;

export const signingSecretValue = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** Returns a new secret's value, which is shown once, and its stored form. */
export function newSigningSecret(owner: string): { value: string; stored: SigningSecret } {
  const value = signingSecretValue();
  return { value, stored: { sealed: sealText(value, { owner, field: 'signingSecrets' }) } };
}

export const rotated = (before: readonly SigningSecret[], added: SigningSecret, nowMs: number): SigningSecret[] =>
  [
    added,
    ...before
      .filter(({ untilMs = Number.POSITIVE_INFINITY }) => untilMs > nowMs)
      .map(({ sealed, untilMs = nowMs + OVERLAP_MS }) => ({ sealed, untilMs })),
  ].slice(0, KEPT);

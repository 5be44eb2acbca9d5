/** Secrets that sign deliveries to a bot or integration, in the form of Standard Webhooks. */
import { randomBytes } from 'node:crypto';
import type { SigningSecret } from '#shared/dynamodb/workspace/bots.ts';

/** A replaced secret stays valid for a day, so that nothing in flight fails, as the contract demands. */
const OVERLAP_MS = 24 * 3600 * 1000;
/** More rotations than anyone makes in a day. */
const KEPT = 10;

export const newSigningSecret = (): SigningSecret => ({ secret: `whsec_${randomBytes(32).toString('base64')}` });

/** The secrets after a rotation, the new one first. */
export const rotated = (secrets: readonly SigningSecret[], nowMs: number): SigningSecret[] =>
  [
    newSigningSecret(),
    ...secrets
      .filter(({ untilMs = Number.POSITIVE_INFINITY }) => untilMs > nowMs)
      .map(({ secret, untilMs = nowMs + OVERLAP_MS }) => ({ secret, untilMs })),
  ].slice(0, KEPT);

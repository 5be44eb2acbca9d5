/**
 * Signatures by which an endpoint authenticates a call: Standard Webhooks (docs/compatibility.md#deliveries), one per
 * valid secret.
 */
import { Webhook } from 'standardwebhooks';
import { openText } from '#shared/storage/dynamodb/secrets/sealed.ts';
import type { SigningSecret } from '#shared/storage/dynamodb/secrets/secretFields.ts';

/**
 * @param owner the bot or integration that has the secrets
 * @param id the same for every attempt
 */
export function signedHeaders(
  owner: { id: string; signingSecrets: readonly SigningSecret[] },
  { id, body, nowMs }: { id: string; body: string; nowMs: number },
): Record<string, string> {
  const at = new Date(nowMs);
  const signatures = owner.signingSecrets
    .filter(({ untilMs = Number.POSITIVE_INFINITY }) => untilMs > nowMs)
    .map(({ sealed }) =>
      new Webhook(openText(sealed, { owner: owner.id, field: 'signingSecrets' })).sign(id, at, body),
    );
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(nowMs / 1000)),
    'webhook-signature': signatures.join(' '),
  };
}

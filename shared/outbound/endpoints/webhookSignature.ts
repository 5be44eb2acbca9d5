/** Standard Webhooks signatures, one per valid secret (docs/api/botChat.md#deliveries). */
import { Webhook } from 'standardwebhooks';
import { openText } from '#shared/storage/dynamodb/secrets/sealed.ts';
import type { SigningSecret } from '#shared/storage/dynamodb/secrets/secretPaths.ts';

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

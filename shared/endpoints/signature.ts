/** Signatures by which an endpoint authenticates a call: Standard Webhooks (docs/compatibility.md#deliveries), one per valid secret. */
import { Webhook } from 'standardwebhooks';
import { openText } from '#shared/dynamodb/sealed.ts';
import type { SigningSecret } from '#shared/dynamodb/workspace/bots.ts';

/** @param id the same for every attempt */
export function signedHeaders(
  secrets: readonly SigningSecret[],
  { id, body, nowMs }: { id: string; body: string; nowMs: number },
): Record<string, string> {
  const at = new Date(nowMs);
  const signatures = secrets
    .filter(({ untilMs = Number.POSITIVE_INFINITY }) => untilMs > nowMs)
    .map(({ sealed }) => new Webhook(openText(sealed)).sign(id, at, body));
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(nowMs / 1000)),
    'webhook-signature': signatures.join(' '),
  };
}

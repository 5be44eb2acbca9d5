/** The admin secret of an installation, which authorises creating users and their keys (docs/api/chat.md#webchat). */
import { hash, timingSafeEqual } from 'node:crypto';
import { ApiError } from '#shared/core/errors.ts';
import type { Webhook } from '#shared/storage/dynamodb/chat/webhooks.ts';

/** Returns the stored hash. The secret is long and random, so it needs no salt. */
export const adminSecretHash = (secret: string): string => hash('sha256', secret, 'base64url');

export function requireAdminSecret(webhook: Pick<Webhook, 'adminSecretHash'>, given: string | undefined): void {
  if (given === undefined) throw new ApiError('Unauthorized', 'The header x-admin-secret is missing.');
  if (webhook.adminSecretHash === undefined) {
    throw new ApiError(
      'Unauthorized',
      "This installation has no admin secret. Set adminSecret in the integration's configuration, or leave the header x-admin-secret out.",
    );
  }
  const [known, shown] = [webhook.adminSecretHash, adminSecretHash(given)].map(text => Buffer.from(text));
  if (!timingSafeEqual(known!, shown!))
    throw new ApiError('Unauthorized', "The admin secret is invalid. Send the installation's own in x-admin-secret.");
}

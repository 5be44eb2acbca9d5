/**
 * What a stream or connection was opened with. While it is open, {@link mayListen} decides whether it could still be
 * opened, for both protocols. The participation is checked beside it, because each protocol reads it elsewhere.
 */
import type { Caller, KeyClaims } from '#shared/api/caller.ts';
import type { UserCall } from '#shared/api/operations/chat.ts';
import { hashText } from '#shared/core/ids.ts';
import type { Webhook } from '#shared/storage/dynamodb/chat/webhooks.ts';
import { acceptsClaims } from './userKey.ts';

export interface ListenerRights {
  /** Fingerprint of the installation's encryption key. A new key ends all streams. */
  keyPrint: string;
  /** Origin of the page, unless it belongs to the API itself. */
  origin?: string | undefined;
  /** Undefined for a user whom the call itself created. */
  claims?: KeyClaims | undefined;
  expiresAtMs?: number | undefined;
}

export const rightsOf = ({
  webhook,
  caller,
  origin,
}: Pick<UserCall<unknown>, 'webhook' | 'origin'> & { caller?: Caller | undefined }): ListenerRights => ({
  keyPrint: printOf(webhook),
  origin,
  claims: caller?.claims,
  expiresAtMs: caller && Number.isFinite(caller.expiresAtMs) ? caller.expiresAtMs : undefined,
});

const printOf = ({ encryptionKey }: Webhook) => hashText('encryption key', encryptionKey);

/** @param webhook the installation at present; undefined after its removal */
export function mayListen(webhook: Webhook | undefined, rights: ListenerRights, nowMs: number): boolean {
  const { keyPrint, origin, claims, expiresAtMs = Number.POSITIVE_INFINITY } = rights;
  return (
    webhook?.isChat === true &&
    printOf(webhook) === keyPrint &&
    (origin === undefined || (webhook.allowedOrigins?.includes(origin) ?? true)) &&
    (claims === undefined || acceptsClaims(webhook, claims)) &&
    nowMs < expiresAtMs
  );
}

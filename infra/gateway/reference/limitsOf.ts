import { MEGABYTE } from '#shared/api/operation.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import { RATE_LIMITS, type RateLimitName } from '#shared/api/rateLimit.ts';

/** Formats the size limit of an operation's body, such as `256 KB` or `50 MB`. */
export const bodyLimitOf = ({ payloadLimitBytes }: Operation) =>
  payloadLimitBytes < MEGABYTE ? `${payloadLimitBytes / 1024} KB` : `${payloadLimitBytes / MEGABYTE} MB`;

const SUBJECTS: Partial<Record<RateLimitName, string>> = {
  anonymousWrites: 'per address',
  anonymousReads: 'per address',
  user: 'per user',
  token: 'per token',
  adminSecret: 'per installation with the admin secret',
};

/** Returns the default limits of an operation's body and calls. Fields and errors state further limits. */
export function limitsOf(operation: Operation): string[] {
  const name = rateLimitOf(operation);
  return [
    ...(operation.body ? [`a body of up to ${bodyLimitOf(operation)}`] : []),
    ...(name ? [`${RATE_LIMITS[name].toLocaleString('en')} calls in 10 seconds ${SUBJECTS[name]}`] : []),
  ];
}

/** Operations without the table are not counted. */
function rateLimitOf(operation: Operation): RateLimitName | undefined {
  if (operation.table === 'none') return undefined;
  const anonymous = operation.table === 'writes' ? 'anonymousWrites' : 'anonymousReads';
  if (operation.api === 'platform') return operation.scope === 'public' ? anonymous : 'token';
  if (operation.api === 'webhook') return undefined;
  const { who } = operation.access;
  if (who === 'admin') return 'adminSecret';
  return who === 'anyone' || who === 'guest' ? anonymous : 'user';
}

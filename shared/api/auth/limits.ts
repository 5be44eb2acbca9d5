/** What a role is not enough for: the rules that depend on what, or who, a call is about. */
import { ApiError } from '#shared/errors.ts';
import type { Role } from './permissions.ts';

/** Only an owner makes or unmakes one. @throws ApiError Forbidden */
export function requireRank(own: Role, other: Role): void {
  if (other === 'owner' && own !== 'owner') throw new ApiError('Forbidden', 'Only an owner may do this to an owner.');
}

/** @throws ApiError Forbidden when the caller may only touch what he created himself, and this is not */
export function requireOwn(call: { isLimitedToOwn: boolean }, isOwn: boolean): void {
  if (call.isLimitedToOwn && !isOwn) throw new ApiError('Forbidden', 'Your role may only do this to what is your own.');
}

/** Rules that depend on the record a call is about, besides the caller's role. */
import type { Role } from '#shared/dynamodb/workspace/roles.ts';
import { ApiError } from '#shared/errors.ts';

/** Only owners grant or revoke the role owner. @throws ApiError Forbidden */
export function requireRank(own: Role, other: Role): void {
  if (other === 'owner' && own !== 'owner') {
    throw new ApiError('Forbidden', 'Only an owner may grant, change or remove the role owner.');
  }
}

/** @throws ApiError Forbidden when the caller's permission is `own` and the record is somebody else's */
export function requireOwn(call: { isLimitedToOwn: boolean }, isOwn: boolean): void {
  if (call.isLimitedToOwn && !isOwn) {
    throw new ApiError('Forbidden', 'Your role allows this only for resources you created, or for yourself.');
  }
}

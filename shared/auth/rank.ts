/** Nobody gives or takes a role above his own: only an owner makes or unmakes one. */
import { ApiError } from '../http/errors.ts';
import type { Role } from './permissions.ts';

/** @throws ApiError Forbidden */
export function requireRank(own: Role, other: Role): void {
  if (other === 'owner' && own !== 'owner') throw new ApiError('Forbidden', 'Only an owner may do this to an owner.');
}

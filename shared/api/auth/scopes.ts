/**
 * Scopes of a token: what it may be used for, out of what its owner may. `admin`, `chat`, `files` or `tables` is a whole
 * interface, `admin:read` only what it reads, `admin:listBots` one operation. A token without scopes may all that its
 * owner may, as in the ecosystem (FACTS 1.7).
 */
import type { PlatformOperation } from '#shared/api/platform/operation.ts';

/** The interfaces as a token's owner calls them. */
const INTERFACES = ['admin', 'chat', 'files', 'tables'];
const SCOPE = new RegExp(`^(${INTERFACES.join('|')})(:(read|[a-z][A-Za-z]{2,60}))?$`);

export const isScope = (text: string) => SCOPE.test(text);

const interfaceOf = (group: string) => (group === 'botChat' ? 'chat' : group);

export function isInScope(
  scopes: readonly string[] | undefined,
  { group, name, method }: Pick<PlatformOperation, 'group' | 'name' | 'method'>,
): boolean {
  if (!scopes) return true;
  const face = interfaceOf(group);
  return scopes.some(
    scope => scope === face || scope === `${face}:${name}` || (scope === `${face}:read` && method === 'GET'),
  );
}

/** Whether a token may make another with these scopes: it cannot give what it has not. */
export const mayGrant = (own: readonly string[] | undefined, wanted: readonly string[] | undefined) =>
  !own || (wanted?.every(scope => own.includes(scope) || own.includes(scope.split(':')[0]!)) ?? false);

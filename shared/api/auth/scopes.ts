/** Scopes: a group (`admin`), its reads (`admin:read`) or an operation (`admin:listBots`): docs/api/admin.md#scopes. */
import type { PlatformOperation } from '#shared/api/operations/platform.ts';

export const GROUPS = ['admin', 'chat', 'files', 'tables', 'cognitive'];
const SCOPE = new RegExp(`^(${GROUPS.join('|')})(:(read|[a-z][A-Za-z]{2,60}))?$`);

export const isScope = (text: string) => SCOPE.test(text);

const scopeNameOf = (group: string) => (group === 'botChat' ? 'chat' : group);

type Scoped = Pick<PlatformOperation, 'group' | 'name' | 'table' | 'objects' | 'acceptsUploads'>;

export function isInScope(scopes: readonly string[] | undefined, operation: Scoped): boolean {
  if (!scopes) return true;
  const all = scopeNameOf(operation.group);
  return scopes.some(
    scope =>
      scope === all || scope === `${all}:${operation.name}` || (scope === `${all}:read` && changesNothing(operation)),
  );
}

/** Uses declared IAM access instead of the method: a GET exports a table to a file, a POST finds rows. */
const changesNothing = ({ table, objects, acceptsUploads }: Scoped) =>
  acceptsUploads === true || (table !== 'writes' && Object.keys(objects ?? {}).every(kind => kind === 'reads'));

/** A token cannot grant more than it has. */
export const mayGrant = (own: readonly string[] | undefined, requested: readonly string[] | undefined) =>
  !own || (requested?.every(scope => own.includes(scope) || own.includes(scope.split(':')[0]!)) ?? false);

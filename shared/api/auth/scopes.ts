/**
 * Token scopes, which narrow the owner's permissions: `admin`, `chat`, `files`, `tables` or `cognitive` allows a whole
 * group, `admin:read` its operations that change nothing, `admin:listBots` a single operation. A token without scopes
 * has all of its owner's permissions (docs/api/admin.md#scopes).
 */
import type { PlatformOperation } from '#shared/api/operations/platform.ts';

/** The groups, by the names that scopes use. */
export const GROUPS = ['admin', 'chat', 'files', 'tables', 'cognitive'];
const SCOPE = new RegExp(`^(${GROUPS.join('|')})(:(read|[a-z][A-Za-z]{2,60}))?$`);

export const isScope = (text: string) => SCOPE.test(text);

const scopeNameOf = (group: string) => (group === 'botChat' ? 'chat' : group);

type Scoped = Pick<PlatformOperation, 'group' | 'name' | 'table' | 'objects'>;

export function isInScope(scopes: readonly string[] | undefined, operation: Scoped): boolean {
  if (!scopes) return true;
  const all = scopeNameOf(operation.group);
  return scopes.some(
    scope =>
      scope === all || scope === `${all}:${operation.name}` || (scope === `${all}:read` && changesNothing(operation)),
  );
}

/**
 * By what the function can do, and not by its method: exporting a table is a GET that makes a file, and finding rows is
 * a POST. IAM holds a function to what it declares.
 */
const changesNothing = ({ table, objects }: Pick<Scoped, 'table' | 'objects'>) =>
  table !== 'writes' && (objects === undefined || objects.startsWith('reads'));

/** Whether a token with the scopes `own` may create one with `requested`: a token cannot grant more than it has. */
export const mayGrant = (own: readonly string[] | undefined, requested: readonly string[] | undefined) =>
  !own || (requested?.every(scope => own.includes(scope) || own.includes(scope.split(':')[0]!)) ?? false);

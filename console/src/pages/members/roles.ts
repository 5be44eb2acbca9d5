/** Roles, and what they permit, as far as members notice (docs/permissions.md). */
import type { Role } from '../../api/useMember.ts';
import { shell } from '../../messages/en/shell.ts';
import { workspace } from '../../messages/en/workspace.ts';
import { translator } from '../../messages/translate.ts';

const t = translator('workspace', workspace);
const roles = translator('shell', shell);

const ROLES = ['viewer', 'billing', 'agent', 'developer', 'manager', 'administrator', 'owner'] as const;
const HIERARCHY: readonly Role[] = ['viewer', 'developer', 'manager', 'administrator', 'owner'];
const from = (role: Role) => HIERARCHY.slice(HIERARCHY.indexOf(role));

const CAPABILITIES = {
  may_read: from('viewer'),
  may_answer: [...from('developer'), 'agent'],
  may_change: from('developer'),
  may_operate: from('manager'),
  may_manage: from('administrator'),
  may_own: from('owner'),
} as const satisfies Record<string, readonly Role[]>;
type Capability = keyof typeof CAPABILITIES;

const has = (role: Role, capability: Capability) => (CAPABILITIES[capability] as readonly Role[]).includes(role);

export const roleOptions = () => ROLES.map(value => ({ value, label: t(`about_${value}`) }));
export const roleName = (role: Role): string => roles(`role_${role}`);

/** Returns true if conversations can be assigned to members with the role. */
export const mayAnswer = (role: Role): boolean => has(role, 'may_answer');

/** Returns true if a member with the first role may create sign-in links for one with the other. */
export const mayLink = (own: Role | undefined, other: Role): boolean =>
  own !== undefined && has(own, 'may_operate') && HIERARCHY.indexOf(own) >= HIERARCHY.indexOf(other);

/** Returns what a change of the role gives and takes. */
export function differencesOf(before: Role, after: Role): { gained: string[]; lost: string[] } {
  const all = Object.keys(CAPABILITIES) as Capability[];
  return {
    gained: all.filter(each => has(after, each) && !has(before, each)).map(each => t(each)),
    lost: all.filter(each => has(before, each) && !has(after, each)).map(each => t(each)),
  };
}

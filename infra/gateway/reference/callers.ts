/** Describes the callers of an operation. */

import type { Operation } from '#shared/api/operations/operations.ts';
import { type Actor, ruleOf } from '#shared/api/permissions.ts';
import { ROLES, type Role } from '#shared/storage/dynamodb/workspace/roles.ts';

const CHAT_CALLERS = {
  anyone: 'anyone with the webhook id',
  guest: 'anyone with the webhook id; a user key identifies the user',
  admin: "anyone with the installation's admin secret",
  user: 'any user',
  participant: 'a participant of the conversation',
  owner: 'the owner of the conversation',
  ownerOrSelf: 'the owner of the conversation, or the participant concerned',
  author: 'the author, while a participant of the conversation',
};

/** Roles outside of the ascending order. */
const APART: readonly Role[] = ['billing', 'agent'];
const LADDER: readonly Role[] = ROLES.filter(role => !APART.includes(role));

export function callersOf(operation: Operation): string {
  if (operation.api !== 'platform') return CHAT_CALLERS[operation.access.who];
  if (operation.scope === 'public') return 'anyone, without a token';
  if (operation.scope === 'token') return 'any valid token';
  const rule = ruleOf(operation.group, operation.name);
  const actors = (right: 'yes' | 'own') => (Object.keys(rule) as Actor[]).filter(actor => rule[actor] === right);
  const own = actors('own');
  return [describe(actors('yes')), own.length > 0 ? `${describe(own)} (own only)` : ''].filter(Boolean).join('; ');
}

function describe(actors: readonly Actor[]): string {
  const roles = ROLES.filter(role => actors.includes(role));
  const others = actors.filter(actor => !roles.includes(actor as Role));
  return [rolesInWords(roles), ...others].filter(Boolean).join(', ');
}

function rolesInWords(roles: readonly Role[]): string {
  if (roles.length === ROLES.length) return 'every role';
  const inOrder = roles.filter(role => !APART.includes(role));
  const lowest = inOrder[0];
  const isRange = lowest !== undefined && inOrder.join() === LADDER.slice(LADDER.indexOf(lowest)).join();
  if (!isRange || inOrder.length === 1) return roles.join(', ');
  return [`${lowest} and above`, ...roles.filter(role => APART.includes(role))].join(', ');
}

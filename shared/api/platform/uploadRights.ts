/** Bodies are uploaded before the operation that reads them, so their creation requires the right to call it. */
import { isInScope } from '#shared/api/auth/scopes.ts';
import { MEGABYTE } from '#shared/api/operation.ts';
import type { PlatformOperation, Principal } from '#shared/api/operations/platform.ts';
import { type Rule, ruleOf } from '#shared/api/permissions.ts';
import type { Token } from '#shared/storage/dynamodb/workspace/tokens.ts';

type UploadOperation = Pick<PlatformOperation, 'group' | 'name' | 'table' | 'payloadLimitBytes'>;

const admin = (name: string, limitMegabytes: number, table: 'reads' | 'writes' = 'writes'): UploadOperation => ({
  group: 'admin',
  name,
  table,
  payloadLimitBytes: limitMegabytes * MEGABYTE,
});
const rows = (name: string): UploadOperation => ({
  group: 'tables',
  name,
  table: 'writes',
  payloadLimitBytes: 40 * MEGABYTE,
});

/** Listed here, because a function contains only its own operation. A test compares the list with the declarations. */
export const UPLOAD_OPERATIONS: readonly UploadOperation[] = [
  admin('createBot', 50),
  admin('updateBot', 50),
  admin('createIntegration', 50),
  admin('updateIntegration', 50),
  admin('validateIntegrationCreation', 50, 'reads'),
  admin('validateIntegrationUpdate', 50, 'reads'),
  admin('createInterface', 10),
  admin('updateInterface', 10),
  admin('createPlugin', 50),
  admin('updatePlugin', 50),
  rows('createTableRows'),
  rows('updateTableRows'),
  rows('upsertTableRows'),
];

/** Returns the size of the largest body that the caller may send to any operation, or 0. */
export const uploadLimitOf = (principal: Principal, { scopes }: Pick<Token, 'scopes'>): number =>
  Math.max(
    0,
    ...UPLOAD_OPERATIONS.filter(
      operation => isInScope(scopes, operation) && mayCall(principal, ruleOf(operation.group, operation.name)),
    ).map(({ payloadLimitBytes }) => payloadLimitBytes),
  );

const mayCall = (principal: Principal, rule: Rule): boolean =>
  principal.kind === 'account'
    ? Object.values(principal.account.memberships).some(({ role }) => role in rule)
    : principal.kind in rule;

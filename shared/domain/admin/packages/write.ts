import { requireUnlimited } from '#shared/api/auth/callerLimits.ts';
import { newPackageId } from '#shared/core/ids.ts';
import { storeAssets, storeText } from '#shared/domain/admin/assets.ts';
import { mayBecomeObject } from '#shared/storage/dynamodb/engine/largeValue.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import {
  changePackage,
  type Package,
  type PackageDefinition,
  type PackageKind,
  putNewPackage,
  removePackage,
  requireRoomForPackage,
} from '#shared/storage/dynamodb/integrations/packages.ts';
import type { Account } from '#shared/storage/dynamodb/workspace/accounts.ts';
import { auditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';
import type { Token } from '#shared/storage/dynamodb/workspace/tokens.ts';
import { workspaceMustExist } from '#shared/storage/dynamodb/workspace/workspaces.ts';
import { EMPTY_INTERFACE, EMPTY_PLUGIN } from './definitions.ts';
import { grantOfPackage } from './grants.ts';
import { changedPackage, type PackageFields } from './packageChanges.ts';
import { requireCodeResponseSize } from './pluginCode.ts';

interface Author {
  account: Account;
  token: Token;
  workspaceId: string;
  nowMs: number;
}

interface Contents extends PackageFields {
  icon?: string | undefined;
  readme?: string | undefined;
  code?: { node?: string | undefined; browser?: string | undefined } | undefined;
}

/**
 * @throws ApiError LimitExceeded for too many packages or code that exceeds a response, Forbidden for a limited token
 * whose change grants access
 */
export async function createdPackage(
  kind: PackageKind,
  author: Author,
  input: Contents & { name: string; version: string },
  definition: PackageDefinition,
): Promise<{ made: Package; writes: Write[] }> {
  const { account, workspaceId, nowMs } = author;
  const blank: Package = {
    id: newPackageId(kind, nowMs),
    kind,
    workspaceId,
    name: input.name,
    version: input.version,
    title: input.name,
    description: '',
    visibility: 'private',
    createdBy: account.id,
    createdAtMs: nowMs,
    updatedAtMs: nowMs - 1,
    revision: 0,
  };
  const changed = changedPackage(blank, input, nowMs);
  const empty = kind === 'plugin' ? EMPTY_PLUGIN : EMPTY_INTERFACE;
  requireUnlimited(
    author.token,
    grantOfPackage({ found: blank, definition: empty }, { found: changed, definition }, input.code),
  );
  const hasObjects = [input.icon, input.readme, input.code].some(content => content !== undefined);
  // Rejects before anything is stored.
  if (hasObjects || mayBecomeObject(definition)) await requireRoomForPackage(workspaceId, kind);
  const made = { ...changed, ...(await storeContents(blank.id, input)) };
  return {
    made,
    writes: [
      ...(await putNewPackage(made, definition)),
      workspaceMustExist(workspaceId),
      auditOf(author, made, `CREATE_${kind.toUpperCase()}`),
    ],
  };
}

/**
 * @throws ApiError LimitExceeded for code that exceeds a response, Forbidden for a limited token whose change grants
 * access
 */
export async function updatedPackage(
  author: Author,
  { found: before, definition: definitionBefore }: { found: Package; definition: PackageDefinition },
  input: Contents,
  definition: PackageDefinition,
): Promise<{ after: Package; writes: Write[] }> {
  const changed = changedPackage(before, input, author.nowMs);
  requireUnlimited(
    author.token,
    grantOfPackage({ found: before, definition: definitionBefore }, { found: changed, definition }, input.code),
  );
  const after = { ...changed, ...(await storeContents(before.id, input)) };
  const { id: _, ...fields } = input as Contents & { id?: string };
  const value = `UPDATE_${before.kind.toUpperCase()} ${Object.keys(fields).join(', ')}`;
  return { after, writes: [...(await changePackage(before, after, definition)), auditOf(author, after, value)] };
}

/** `sweepDeleted` deletes the definition and objects. */
export const deletedPackage = (author: Author, before: Package): Write[] => [
  ...removePackage(before),
  auditOf(author, before, `DELETE_${before.kind.toUpperCase()}`),
];

async function storeContents(id: string, { icon, readme, code }: Contents): Promise<Partial<Package>> {
  requireCodeResponseSize(code);
  return {
    ...(await storeAssets(id, { icon, readme, code: code?.node })),
    ...(code?.browser === undefined ? {} : { browserCodeKey: await storeText(id, code.browser) }),
  };
}

const auditOf = ({ workspaceId, account, nowMs }: Author, { id, name, version }: Package, value: string): Write =>
  putAudit(
    workspaceId,
    auditActor(account),
    { action: 'UNKNOWN', resourceId: id, resourceName: `${name} ${version}`, value },
    nowMs,
  );

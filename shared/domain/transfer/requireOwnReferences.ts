/** Rejects lines that name tenants, webhooks, names or objects outside their export: docs/security.md#imports. */

import * as z from 'zod/mini';
import { isIntegrationId, isPackageId, isUuid, isWorkspaceId } from '#shared/core/ids.ts';
import { own } from '#shared/core/own.ts';
import { findCurrentWebhook } from '#shared/storage/dynamodb/chat/webhooks.ts';
import type { Item } from '#shared/storage/dynamodb/engine/query.ts';
import { findIntegration, isVisibleTo } from '#shared/storage/dynamodb/integrations/integrations.ts';
import { ownerOf } from '#shared/storage/dynamodb/tenants/itemKinds.ts';
import { COMMON_NAMES, DECLARATIONS, type Reference, valuesAt } from '#shared/storage/dynamodb/tenants/references.ts';
import type { TenantKind } from '#shared/storage/dynamodb/tenants/sections.ts';
import { SHAPES } from '#shared/storage/dynamodb/tenants/shapes.ts';
import { isOwnObject } from '#shared/storage/s3/prefixes.ts';
import type { Manifest } from './format.ts';

const IDS: Record<TenantKind, (id: string) => boolean> = {
  account: isUuid,
  bot: isUuid,
  integration: isIntegrationId,
  package: id => isPackageId('interface', id) || isPackageId('plugin', id),
  workspace: isWorkspaceId,
};

/** Returns the fault of a manifest's tenants, if any: each has one kind, and the workspace is the manifest's. */
export function faultOfTenants({ tenants, workspaceId }: Manifest): string | undefined {
  const kinds = new Map<string, TenantKind>();
  for (const { kind, id } of tenants) {
    if (!IDS[kind](id)) return `${id} is not the id of ${kind === 'account' ? 'an' : 'a'} ${kind}`;
    if (kinds.has(id)) return `${id} occurs twice`;
    if (kind === 'workspace' && id !== workspaceId) return `${id} is not the exported workspace`;
    kinds.set(id, kind);
  }
  return kinds.has(workspaceId) ? undefined : 'the exported workspace is missing';
}

interface Place {
  item: Item;
  owner: string;
  manifest: Manifest;
}

const kindOfTenant = ({ tenants }: Manifest, id: string) => tenants.find(each => each.id === id)?.kind;

/** Each check returns a fault, or undefined if the text is permitted. */
const CHECKS: Record<Reference, (text: string, place: Place) => Promise<boolean> | boolean> = {
  unchecked: () => true,
  self: (text, { owner }) => text === owner,
  key: (text, { item }) => item.pk.split('#')[1] === text,
  workspace: (text, { manifest }) => text === manifest.workspaceId,
  tenant: (text, { manifest }) => kindOfTenant(manifest, text) !== undefined,
  formerTenant: () => true,
  account: (text, { manifest }) => kindOfTenant(manifest, text) === 'account',
  object: (text, { owner }) => isOwnObject(owner, text),
  integration: async (text, { manifest }) => {
    if (kindOfTenant(manifest, text) === 'integration') return true;
    const found = await findIntegration(text);
    return !found || isVisibleTo(found, manifest.workspaceId);
  },
  webhook: async (text, { owner }) => ((await findCurrentWebhook(text))?.botId ?? owner) === owner,
};

/**
 * Returns false for a line about a tenant that no longer belonged to the workspace.
 * @throws Error that names the attribute which the export may not contain
 */
export async function requireOwnReferences(kind: string, item: Item, manifest: Manifest): Promise<boolean> {
  const declared = own(DECLARATIONS, kind);
  const owner = ownerOf(item);
  const ownerKind = owner === undefined ? undefined : kindOfTenant(manifest, owner);
  if (owner === undefined || ownerKind === undefined) throw new Error(`${owner} is not in the manifest`);
  if (!declared?.of.includes(ownerKind)) throw new Error(`a ${ownerKind} has no ${kind}`);
  if (!isListedRightly(item, owner, manifest, declared.listedBy)) throw new Error(`gsiPk names ${item.gsiPk}`);
  for (const [path, reference] of Object.entries<Reference>({ ...COMMON_NAMES, ...declared.names })) {
    for (const text of valuesAt(item, path)) {
      // Rejects lists and numbers, which would pass the checks as the text they are converted to.
      if (typeof text !== 'string') throw new Error(`${path} is not a text`);
      if (reference === 'formerTenant' && kindOfTenant(manifest, text) === undefined) return false;
      if (!(await CHECKS[reference](text, { item, owner, manifest }))) throw new Error(`${path} names ${text}`);
    }
  }
  requireShape(kind, item);
  if (kind === 'account') requireMembership(item, manifest);
  return true;
}

function isListedRightly(
  { gsiPk }: Item,
  owner: string,
  { workspaceId }: Manifest,
  listedBy: 'self' | 'workspace' | 'timers' | undefined,
): boolean {
  if (gsiPk === undefined) return true;
  if (listedBy === 'timers') return /^due#\d+$/.test(gsiPk);
  return listedBy !== undefined && String(gsiPk).startsWith(`${listedBy === 'self' ? owner : workspaceId}#`);
}

function requireShape(kind: string, item: Item): void {
  try {
    own(SHAPES, kind)?.(item);
  } catch (error) {
    const [issue] = error instanceof z.core.$ZodError ? error.issues : [];
    const fault = issue ? `${issue.path.join('.')}: ${issue.message}` : (error as Error).message;
    throw new Error(`it is not a valid ${kind}: ${fault}`);
  }
}

/** The memberships of an account grant it access. */
function requireMembership({ memberships = {} }: Item, { workspaceId }: Manifest): void {
  const other = Object.keys(memberships).find(id => id !== workspaceId);
  if (other !== undefined) throw new Error(`memberships names ${other}`);
}

/**
 * Single sign-on of a workspace: its OpenID Connect provider, and the accounts of the people who signed in with it
 * (docs/api/admin.md#single-sign-on).
 */
import * as z from 'zod/mini';
import { hashText } from '#shared/core/ids.ts';
import { readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { unconditional, type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import { identityKey, singleSignOnKey } from '#shared/storage/dynamodb/keys/workspace.ts';
import { openText, sealText } from '#shared/storage/dynamodb/secrets/sealed.ts';
import { ROLES } from './roles.ts';

const SingleSignOn = z.object({
  /** Changes with the provider or its client. Sessions of another id end. */
  id: z.string(),
  issuer: z.string(),
  clientId: z.string(),
  /** Sealed. */
  clientSecret: z.optional(z.string()),
  scope: z.string(),
  groupsClaim: z.string(),
  /** In order of precedence. */
  roles: z.array(z.object({ group: z.string(), role: z.enum(ROLES) })),
  defaultRole: z.optional(z.enum(ROLES)),
  emailDomains: z.array(z.string()),
  updatedAtMs: z.number(),
  version: z.number(),
});
export type SingleSignOn = z.infer<typeof SingleSignOn>;

const placeOf = (workspaceId: string) => ({ owner: workspaceId, field: 'clientSecret' }) as const;

export const sealClientSecret = (workspaceId: string, secret: string): string => sealText(secret, placeOf(workspaceId));
export const openClientSecret = (workspaceId: string, { clientSecret }: SingleSignOn): string | undefined =>
  clientSecret === undefined ? undefined : openText(clientSecret, placeOf(workspaceId));

export async function findSingleSignOn(workspaceId: string): Promise<SingleSignOn | undefined> {
  const item = await readItem(singleSignOnKey(workspaceId));
  return item && SingleSignOn.parse(item);
}

/** Fails with {@link WriteConflict} if the settings have changed since the read. */
export const putSingleSignOn = (
  workspaceId: string,
  before: SingleSignOn | undefined,
  after: Omit<SingleSignOn, 'version'>,
): Write => ({
  put: {
    Item: { ...singleSignOnKey(workspaceId), ...after, version: (before?.version ?? 0) + 1 },
    ...(before
      ? { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': before.version } }
      : { ConditionExpression: 'attribute_not_exists(pk)' }),
  },
  onRefused: () => new WriteConflict(),
});

/** Fails with {@link WriteConflict} if the settings have changed since the read. */
export const removeSingleSignOn = (workspaceId: string, { version }: SingleSignOn): Write => ({
  remove: {
    Key: singleSignOnKey(workspaceId),
    ConditionExpression: 'version = :version',
    ExpressionAttributeValues: { ':version': version },
  },
  onRefused: () => new WriteConflict(),
});

/** Fails with {@link WriteConflict} unless the provider is still the one of a sign-in. */
export const singleSignOnMustBe = (workspaceId: string, { version }: SingleSignOn): Write => ({
  check: {
    Key: singleSignOnKey(workspaceId),
    ConditionExpression: 'version = :version',
    ExpressionAttributeValues: { ':version': version },
  },
  onRefused: () => new WriteConflict(),
});

/** A person at an issuer. A subject is never reassigned, unlike an email address. */
export interface Identity {
  issuer: string;
  subject: string;
}

const keyOf = (workspaceId: string, { issuer, subject }: Identity) =>
  identityKey(workspaceId, hashText('identity', issuer, subject));

const StoredIdentity = z.object({ accountId: z.string(), memberId: z.string() });
export type KnownIdentity = z.infer<typeof StoredIdentity>;

export async function findIdentity(workspaceId: string, identity: Identity): Promise<KnownIdentity | undefined> {
  const item = await readItem(keyOf(workspaceId, identity));
  return item && StoredIdentity.parse(item);
}

export const putIdentity = (workspaceId: string, identity: Identity, known: KnownIdentity): Write => ({
  put: {
    Item: { ...keyOf(workspaceId, identity), ...known },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
  onRefused: () => new WriteConflict(),
});

/** Replaces the account of an identity whose membership has ended. */
export const replaceIdentity = (workspaceId: string, identity: Identity, known: KnownIdentity): Write => ({
  put: { Item: { ...keyOf(workspaceId, identity), ...known } },
  onRefused: unconditional,
});

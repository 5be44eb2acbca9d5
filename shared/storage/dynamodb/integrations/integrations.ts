/** Integrations: a small item and, like that of a bot, a separate item with the definition. */
import * as z from 'zod/mini';
import { ApiError, notFound } from '#shared/core/errors.ts';
import { isIntegrationId } from '#shared/core/ids.ts';
import { deploymentFields } from '#shared/storage/dynamodb/code/deployments.ts';
import { workspaceListing, workspaceListPk } from '#shared/storage/dynamodb/keys/lists.ts';
import type { Key } from '#shared/storage/dynamodb/keys/table.ts';
import {
  definitionKey,
  integrationKey,
  integrationNameKey,
  integrationPk,
} from '#shared/storage/dynamodb/keys/workspace.ts';
import { loadItemValue, putDefinition } from '#shared/storage/dynamodb/largeValue.ts';
import { type Item, queryAll, readItem, readItems } from '#shared/storage/dynamodb/query.ts';
import { SigningSecret } from '#shared/storage/dynamodb/secrets/secretFields.ts';
import { unconditional, type Write, WriteConflict } from '#shared/storage/dynamodb/transaction.ts';
import { publish, withdraw } from './hub.ts';
import type { IntegrationDefinition } from './integrationDefinition.ts';

export const VISIBILITIES = ['public', 'private', 'unlisted'] as const;

const Integration = z.object({
  id: z.string(),
  workspaceId: z.string(),
  name: z.string(),
  version: z.string(),
  title: z.string(),
  description: z.string(),
  visibility: z.enum(VISIBILITIES),
  isDev: z.boolean(),
  /** The endpoint of its installations' events. */
  url: z.optional(z.string()),
  createdBy: z.optional(z.string()),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  signingSecrets: z.array(SigningSecret),
  attributes: z.record(z.string(), z.string()),
  /** The number of installations. */
  installCount: z.number(),
  /** Keys in the object store. */
  iconKey: z.optional(z.string()),
  readmeKey: z.optional(z.string()),
  codeKey: z.optional(z.string()),
  ...deploymentFields,
  interfaces: z.array(z.object({ id: z.string(), name: z.string() })),
  actionNames: z.array(z.string()),
  /** The secret fields of its configuration types; of the default one under the type null: see `secretFields.ts`. */
  secretPaths: z.optional(z.array(z.object({ type: z.nullable(z.string()), paths: z.array(z.array(z.string())) }))),
  revision: z.number(),
});
export type Integration = z.infer<typeof Integration>;

export const parseIntegration = (item: Item): Integration => Integration.parse(item);

/** Whether a workspace may read and install an integration. */
export const isVisibleTo = (integration: Integration, workspaceId: string) =>
  integration.workspaceId === workspaceId || integration.visibility !== 'private';

/** Takes any text: callers name integrations, and a function may read no partition but an integration's. */
export async function findIntegration(integrationId: string): Promise<Integration | undefined> {
  if (!isIntegrationId(integrationId)) return undefined;
  const item = await readItem(integrationKey(integrationId));
  return item && Integration.parse(item);
}

/** Those that exist, by id. */
export async function findIntegrations(ids: readonly string[]): Promise<Map<string, Integration>> {
  const items = await readItems([...new Set(ids)].filter(isIntegrationId).map(integrationKey));
  return new Map(items.flatMap(item => (item ? [[item.id, Integration.parse(item)]] : [])));
}

/** @param read `readTogether` for a change of both */
export async function findIntegrationWithDefinition(
  integrationId: string,
  read = readItems,
): Promise<{ integration: Integration; definition: IntegrationDefinition } | undefined> {
  if (!isIntegrationId(integrationId)) return undefined;
  const [item, definition] = await read([integrationKey(integrationId), definitionKey(integrationPk(integrationId))]);
  if (!item || !definition) return undefined;
  return {
    integration: Integration.parse(item),
    definition: (await loadItemValue(definition)) as IntegrationDefinition,
  };
}

/** The definitions of those that exist, by id. */
export async function findIntegrationDefinitions(ids: readonly string[]): Promise<Map<string, IntegrationDefinition>> {
  const known = [...new Set(ids)].filter(isIntegrationId);
  const items = await readItems(known.map(id => definitionKey(integrationPk(id))));
  const found = await Promise.all(
    items.map(async item => item && ((await loadItemValue(item)) as IntegrationDefinition)),
  );
  return new Map(known.flatMap((id, i) => (found[i] ? [[id, found[i]]] : [])));
}

/** All integrations of a workspace, oldest first: a workspace builds few. */
export async function listIntegrations(workspaceId: string): Promise<Integration[]> {
  const keys: Key[] = [];
  const query = {
    IndexName: 'gsi1',
    KeyConditionExpression: 'gsiPk = :gsiPk',
    ExpressionAttributeValues: { ':gsiPk': workspaceListPk(workspaceId, 'integrations') },
  };
  // The index has the keys only.
  for await (const { pk, sk } of queryAll(query)) keys.push({ pk, sk });
  return (await readItems(keys)).flatMap(item => (item ? [Integration.parse(item)] : []));
}

const itemOf = (integration: Integration) => ({
  ...integrationKey(integration.id),
  ...integration,
  ...workspaceListing(integration.workspaceId, 'integrations', integration),
});

/** Development versions do not claim their name. */
const claimsName = ({ isDev }: Integration) => !isDev;

/** Development versions stay out of the hub: theirs are the same name and version as the real ones. */
const isInHub = ({ visibility, isDev }: Integration) => visibility === 'public' && !isDev;

const hubWrites = (before: Integration, after: Integration): Write[] => {
  if (isInHub(after)) return isInHub(before) ? [] : publish('integration', after);
  return isInHub(before) ? withdraw('integration', before) : [];
};

export const putNewIntegration = async (
  integration: Integration,
  definition: IntegrationDefinition,
): Promise<Write[]> => [
  {
    put: { Item: itemOf(integration), ConditionExpression: 'attribute_not_exists(pk)' },
    onRefused: () => new WriteConflict(),
  },
  await putDefinition(integrationPk(integration.id), integration.id, definition),
  ...(claimsName(integration)
    ? [
        {
          put: {
            Item: {
              ...integrationNameKey(integration.workspaceId, integration.name, integration.version),
              integrationId: integration.id,
            },
            ConditionExpression: 'attribute_not_exists(pk)',
          },
          onRefused: () =>
            new ApiError(
              'AlreadyExists',
              `The workspace already has an integration ${integration.name} ${integration.version}.`,
            ),
        },
      ]
    : []),
  ...(isInHub(integration) ? publish('integration', integration) : []),
];

/** Writes the next version of an integration's record without changing its visibility. */
export const changeIntegrationRecord = (before: Integration, after: Integration): Write => ({
  put: {
    Item: itemOf({ ...after, revision: before.revision + 1 }),
    ConditionExpression: 'revision = :version',
    ExpressionAttributeValues: { ':version': before.revision },
  },
  onRefused: existing => (existing ? new WriteConflict() : notFound(`The integration ${before.id}`)),
});

/** Writes the next version of an integration, its definition, and its entry in the hub. */
export const changeIntegration = async (
  before: Integration,
  after: Integration,
  definition: IntegrationDefinition,
): Promise<Write[]> => [
  changeIntegrationRecord(before, after),
  await putDefinition(integrationPk(before.id), before.id, definition),
  ...hubWrites(before, after),
];

/** Checks, in the transaction that adds to an integration, that it still exists. */
export const integrationMustLive = ({ id }: Pick<Integration, 'id'>): Write => ({
  check: { Key: integrationKey(id), ConditionExpression: 'attribute_exists(pk)' },
  onRefused: () => notFound(`The integration ${id}`),
});

/**
 * Updates the counts of installations. @param known the integrations that exist: one deleted with its workspace needs
 * no count
 */
export const countInstallations = (
  changes: readonly { integrationId: string; change: 1 | -1 }[],
  known: ReadonlyMap<string, Integration>,
): Write[] => {
  // A transaction takes one write per item, and two installations may share an integration.
  const sums = new Map<string, number>();
  for (const { integrationId, change } of changes) sums.set(integrationId, (sums.get(integrationId) ?? 0) + change);
  return [...sums].flatMap(([id, sum]) => (sum > 0 || (sum < 0 && known.has(id)) ? [countInstallation(id, sum)] : []));
};

const countInstallation = (integrationId: string, change: number): Write => ({
  update: {
    Key: integrationKey(integrationId),
    UpdateExpression: 'SET installCount = installCount + :change, revision = revision + :one',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':change': change, ':one': 1 },
  },
  onRefused: () =>
    change > 0
      ? new ApiError('ReferenceNotFound', `There is no integration ${integrationId}.`)
      : // Deleted just now: the operation runs again without it.
        new WriteConflict(),
});

/**
 * Removes an integration; ReferenceConstraint while it is installed.
 * @param isForced with its workspace, installed or not
 */
export const removeIntegration = (integration: Integration, isForced = false): Write[] => [
  {
    remove: {
      Key: integrationKey(integration.id),
      ...(isForced
        ? {}
        : {
            // A visibility that changed just now would leave an entry in the hub.
            ConditionExpression: 'installCount = :none AND visibility = :visibility',
            ExpressionAttributeValues: { ':none': 0, ':visibility': integration.visibility },
          }),
    },
    onRefused: existing => {
      if (!existing) return notFound(`The integration ${integration.id}`);
      if (existing.installCount === 0) return new WriteConflict();
      return new ApiError(
        'ReferenceConstraint',
        `The integration has ${existing.installCount} installations. Uninstall it from all bots first.`,
      );
    },
  },
  ...(claimsName(integration)
    ? [
        {
          remove: { Key: integrationNameKey(integration.workspaceId, integration.name, integration.version) },
          onRefused: unconditional,
        },
      ]
    : []),
  ...(isInHub(integration) ? withdraw('integration', integration) : []),
];

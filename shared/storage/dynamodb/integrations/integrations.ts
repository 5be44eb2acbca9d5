import * as z from 'zod/mini';
import { ApiError, notFound } from '#shared/core/errors.ts';
import { isIntegrationId } from '#shared/core/ids.ts';
import { deploymentFields } from '#shared/storage/dynamodb/code/deployments.ts';
import type { IntegrationDefinition } from '#shared/storage/dynamodb/definitions/integrationDefinition.ts';
import { loadItemValue, putDefinition } from '#shared/storage/dynamodb/engine/largeValue.ts';
import { type Item, queryAll, readItem, readItems } from '#shared/storage/dynamodb/engine/query.ts';
import { unconditional, type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import { workspaceListing, workspaceListPk } from '#shared/storage/dynamodb/keys/lists.ts';
import type { Key } from '#shared/storage/dynamodb/keys/table.ts';
import {
  definitionKey,
  integrationKey,
  integrationNameKey,
  integrationPk,
} from '#shared/storage/dynamodb/keys/workspace.ts';
import { SigningSecret } from '#shared/storage/dynamodb/secrets/secretPaths.ts';
import { publish, withdraw } from './hub.ts';

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
  url: z.optional(z.string()),
  createdBy: z.optional(z.string()),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  signingSecrets: z.array(SigningSecret),
  attributes: z.record(z.string(), z.string()),
  installCount: z.number(),
  iconKey: z.optional(z.string()),
  readmeKey: z.optional(z.string()),
  codeKey: z.optional(z.string()),
  ...deploymentFields,
  interfaces: z.array(z.object({ id: z.string(), name: z.string() })),
  actionNames: z.array(z.string()),
  secretPaths: z.optional(z.array(z.object({ type: z.nullable(z.string()), paths: z.array(z.array(z.string())) }))),
  revision: z.number(),
});
export type Integration = z.infer<typeof Integration>;

export const parseIntegration = (item: Item): Integration => Integration.parse(item);

export const isVisibleTo = (integration: Integration, workspaceId: string) =>
  integration.workspaceId === workspaceId || integration.visibility !== 'private';

/** Accepts any text, because callers supply ids and a function may only read integration partitions. */
export async function findIntegration(integrationId: string): Promise<Integration | undefined> {
  if (!isIntegrationId(integrationId)) return undefined;
  const item = await readItem(integrationKey(integrationId));
  return item && Integration.parse(item);
}

export async function findIntegrations(ids: readonly string[]): Promise<Map<string, Integration>> {
  const items = await readItems([...new Set(ids)].filter(isIntegrationId).map(integrationKey));
  return new Map(items.flatMap(item => (item ? [[item.id, Integration.parse(item)]] : [])));
}

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

export async function findIntegrationDefinitions(ids: readonly string[]): Promise<Map<string, IntegrationDefinition>> {
  const known = [...new Set(ids)].filter(isIntegrationId);
  const items = await readItems(known.map(id => definitionKey(integrationPk(id))));
  const found = await Promise.all(
    items.map(async item => item && ((await loadItemValue(item)) as IntegrationDefinition)),
  );
  return new Map(known.flatMap((id, i) => (found[i] ? [[id, found[i]]] : [])));
}

export async function listIntegrations(workspaceId: string): Promise<Integration[]> {
  const keys: Key[] = [];
  const query = {
    IndexName: 'gsi1',
    KeyConditionExpression: 'gsiPk = :gsiPk',
    ExpressionAttributeValues: { ':gsiPk': workspaceListPk(workspaceId, 'integrations') },
  };
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

/** Excludes development versions, which have the name and version of the real one. */
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

export const changeIntegrationRecord = (before: Integration, after: Integration): Write => ({
  put: {
    Item: itemOf({ ...after, revision: before.revision + 1 }),
    ConditionExpression: 'revision = :version',
    ExpressionAttributeValues: { ':version': before.revision },
  },
  onRefused: existing => (existing ? new WriteConflict() : notFound(`The integration ${before.id}`)),
});

export const changeIntegration = async (
  before: Integration,
  after: Integration,
  definition: IntegrationDefinition,
): Promise<Write[]> => [
  changeIntegrationRecord(before, after),
  await putDefinition(integrationPk(before.id), before.id, definition),
  ...hubWrites(before, after),
];

export const integrationMustExist = ({ id }: Pick<Integration, 'id'>): Write => ({
  check: { Key: integrationKey(id), ConditionExpression: 'attribute_exists(pk)' },
  onRefused: () => notFound(`The integration ${id}`),
});

/** Updates installation counts. @param known existing integrations; deleted ones are not counted */
export const countInstallations = (
  changes: readonly { integrationId: string; change: 1 | -1 }[],
  known: ReadonlyMap<string, Integration>,
): Write[] => {
  // A transaction allows one write per item, and installations may share an integration.
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
      ? new ApiError('ReferenceNotFound', `The integration ${integrationId} does not exist.`)
      : // Concurrently deleted. The retry excludes it.
        new WriteConflict(),
});

/** Fails with ReferenceConstraint while installed, unless `isForced` by the workspace's deletion. */
export const removeIntegration = (integration: Integration, isForced = false): Write[] => [
  {
    remove: {
      Key: integrationKey(integration.id),
      ...(isForced
        ? {}
        : {
            // A concurrent change of visibility would leave an entry in the hub.
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

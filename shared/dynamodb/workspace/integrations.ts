/** Integrations, as `bots.ts` keeps bots: what is read all the time in one item, what they declare beside it. */
import * as z from 'zod/mini';
import { workspaceListing, workspaceListPk } from '#shared/dynamodb/keys/lists.ts';
import { definitionKey, integrationKey, integrationNameKey, integrationPk } from '#shared/dynamodb/keys/workspace.ts';
import { loadItemValue, putDefinition } from '#shared/dynamodb/largeValue.ts';
import { queryAll, readItem, readItems } from '#shared/dynamodb/query.ts';
import { unconditional, type Write, WriteConflict } from '#shared/dynamodb/transaction.ts';
import { ApiError, notFound } from '#shared/errors.ts';
import { SigningSecret } from './bots.ts';

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
  /** Where the events of its installations go. */
  url: z.optional(z.string()),
  createdBy: z.optional(z.string()),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  signingSecrets: z.array(SigningSecret),
  attributes: z.record(z.string(), z.string()),
  /** On how many bots it is installed. */
  installCount: z.number(),
  /** Objects in the store. */
  iconKey: z.optional(z.string()),
  readmeKey: z.optional(z.string()),
  codeKey: z.optional(z.string()),
  interfaces: z.array(z.object({ id: z.string(), name: z.string() })),
  actionNames: z.array(z.string()),
  revision: z.number(),
});
export type Integration = z.infer<typeof Integration>;

/** Whether a workspace may look at an integration and install it. */
export const isVisibleTo = (integration: Integration, workspaceId: string) =>
  integration.workspaceId === workspaceId || integration.visibility !== 'private';

export async function findIntegration(integrationId: string): Promise<Integration | undefined> {
  const item = await readItem(integrationKey(integrationId));
  return item && Integration.parse(item);
}

/** Those that exist, by id. */
export async function findIntegrations(ids: readonly string[]): Promise<Map<string, Integration>> {
  const items = await readItems([...new Set(ids)].map(integrationKey));
  return new Map(items.flatMap(item => (item ? [[item.id, Integration.parse(item)]] : [])));
}

export async function findIntegrationWithDefinition<Definition>(
  integrationId: string,
): Promise<{ integration: Integration; definition: Definition } | undefined> {
  const [item, definition] = await readItems([
    integrationKey(integrationId),
    definitionKey(integrationPk(integrationId)),
  ]);
  if (!item || !definition) return undefined;
  return {
    integration: Integration.parse(item),
    definition: (await loadItemValue(definition)) as Definition,
  };
}

/** The id of a workspace's integration of this name and version. */
export async function findIntegrationId(workspaceId: string, name: string, version: string) {
  const item = await readItem(integrationNameKey(workspaceId, name, version));
  return item?.integrationId as string | undefined;
}

/** Every integration of a workspace, oldest first: what a workspace builds itself is not many. */
export async function listIntegrations(workspaceId: string): Promise<Integration[]> {
  const integrations: Integration[] = [];
  const query = {
    IndexName: 'gsi1',
    KeyConditionExpression: 'gsiPk = :gsiPk',
    ExpressionAttributeValues: { ':gsiPk': workspaceListPk(workspaceId, 'integrations') },
  };
  for await (const item of queryAll(query)) integrations.push(Integration.parse(item));
  return integrations;
}

const itemOf = (integration: Integration) => ({
  ...integrationKey(integration.id),
  ...integration,
  ...workspaceListing(integration.workspaceId, 'integrations', integration),
});

/** A development version is nobody's rival for the name. */
const hasName = ({ isDev }: Integration) => !isDev;

export const putNewIntegration = async (integration: Integration, definition: unknown): Promise<Write[]> => [
  {
    put: { Item: itemOf(integration), ConditionExpression: 'attribute_not_exists(pk)' },
    onRefused: () => new WriteConflict(),
  },
  await putDefinition(integrationPk(integration.id), integration.id, definition),
  ...(hasName(integration)
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
              `The workspace has an integration ${integration.name} ${integration.version} already.`,
            ),
        },
      ]
    : []),
];

/** The next version of its record. @param definition only if it changes */
export const changeIntegration = async (
  before: Integration,
  after: Integration,
  definition?: unknown,
): Promise<Write[]> => [
  {
    put: {
      Item: itemOf({ ...after, revision: before.revision + 1 }),
      ConditionExpression: 'revision = :version',
      ExpressionAttributeValues: { ':version': before.revision },
    },
    onRefused: existing => (existing ? new WriteConflict() : notFound(`The integration ${before.id}`)),
  },
  ...(definition === undefined ? [] : [await putDefinition(integrationPk(before.id), before.id, definition)]),
];

/** Goes with whatever is added to an integration. */
export const integrationMustLive = ({ id }: Pick<Integration, 'id'>): Write => ({
  check: { Key: integrationKey(id), ConditionExpression: 'attribute_exists(pk)' },
  onRefused: () => notFound(`The integration ${id}`),
});

/**
 * What the installations that came and went mean for the integrations that are there: one that is gone, with the
 * workspace it belonged to, needs no count.
 */
export const countInstallations = (
  changes: readonly { integrationId: string; change: 1 | -1 }[],
  known: ReadonlyMap<string, Integration>,
): Write[] => {
  // A transaction takes one write of an item, and two installations may be of one integration.
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
      : // It went just now: run again without it.
        new WriteConflict(),
});

/** Refused while it is installed somewhere, unless its workspace goes. */
export const removeIntegration = (integration: Integration, isForced = false): Write[] => [
  {
    remove: {
      Key: integrationKey(integration.id),
      ...(isForced ? {} : { ConditionExpression: 'installCount = :none', ExpressionAttributeValues: { ':none': 0 } }),
    },
    onRefused: existing =>
      existing
        ? new ApiError('ReferenceConstraint', `It is installed on ${existing.installCount} bots. Uninstall it first.`)
        : notFound(`The integration ${integration.id}`),
  },
  ...(hasName(integration)
    ? [
        {
          remove: { Key: integrationNameKey(integration.workspaceId, integration.name, integration.version) },
          onRefused: unconditional,
        },
      ]
    : []),
];

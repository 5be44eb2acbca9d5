/** The item that every call reads is small. The definition can be large and is separate. One version guards both. */

import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { environment } from '#shared/core/environment.ts';
import { notFound } from '#shared/core/errors.ts';
import { isUuid } from '#shared/core/ids.ts';
import { own } from '#shared/core/own.ts';
import { deploymentFields } from '#shared/storage/dynamodb/code/deployments.ts';
import {
  type BotDefinition,
  EMPTY_BOT_DEFINITION,
  newSettings,
  type RecurringEvent,
} from '#shared/storage/dynamodb/definitions/botDefinition.ts';
import { documents } from '#shared/storage/dynamodb/engine/client.ts';
import { loadItemValue, putDefinition } from '#shared/storage/dynamodb/engine/largeValue.ts';
import {
  type Item,
  queryPage,
  readItem,
  readItems,
  readItemsEventually,
} from '#shared/storage/dynamodb/engine/query.ts';
import { tryWrite, type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import { workspaceListing, workspaceListPk } from '#shared/storage/dynamodb/keys/lists.ts';
import { splitPk } from '#shared/storage/dynamodb/keys/table.ts';
import { botKey, botPk, definitionKey } from '#shared/storage/dynamodb/keys/workspace.ts';
import { rememberListShards } from '#shared/storage/dynamodb/partitioning/listShards.ts';
import { openText, sealText } from '#shared/storage/dynamodb/secrets/sealed.ts';
import { SigningSecret } from '#shared/storage/dynamodb/secrets/secretPaths.ts';
import { Installation, labelOf } from './installation.ts';

/** Value of `formerLabels` that replaces labels beyond the size of the bot's record. */
export const ANY_LABEL = '*';

export const hasPredecessor = ({ formerLabels = [] }: Pick<Bot, 'formerLabels'>, installation: Installation): boolean =>
  formerLabels.includes(labelOf(installation)) || formerLabels.includes(ANY_LABEL);

export const BOT_TYPES = ['studio', 'adk', 'desk'] as const;

const Bot = z.object({
  id: z.string(),
  workspaceId: z.string(),
  name: z.string(),
  description: z.optional(z.string()),
  isDev: z.boolean(),
  type: z.enum(BOT_TYPES),
  tags: z.record(z.string(), z.string()),
  url: z.optional(z.string()),
  createdBy: z.optional(z.string()),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  deployedAtMs: z.optional(z.number()),
  signingSecrets: z.array(SigningSecret),
  installations: z.array(Installation),
  pluginNames: z.array(z.string()),
  formerLabels: z.optional(z.array(z.string())),
  formerFileScopes: z.optional(z.array(z.string())),
  codeKey: z.optional(z.string()),
  /** Version whose code was deployed last. */
  versionId: z.optional(z.string()),
  ...deploymentFields,
  badEventRetries: z.optional(z.object({ attempts: z.optional(z.number()), withinSeconds: z.optional(z.number()) })),
  /** Number of transfers. Each revokes the bot's keys. */
  keyEpoch: z.optional(z.number()),
  /** Time from which the bot's lists are written to several partitions (`listShards.ts`). */
  wideFromMs: z.optional(z.number()),
  version: z.number(),
  /** Set while the bot's data is being deleted. The item is deleted last. */
  deletedAtMs: z.optional(z.number()),
});
export type Bot = z.infer<typeof Bot>;
export const parseBot = (item: Item): Bot => Bot.parse(item);

export function parseCurrentBot(item: Item): Bot {
  const bot = parseBot(item);
  rememberListShards(bot);
  return bot;
}

/** Accepts any text, because callers supply ids and a function may only read bot partitions. */
export async function findBot(botId: string): Promise<Bot | undefined> {
  if (!isUuid(botId)) return undefined;
  const item = await readItem(botKey(botId));
  return item && parseCurrentBot(item);
}

/** Without missing ones. Eventually consistent. */
export async function findBots(botIds: readonly string[]): Promise<Bot[]> {
  const items = await readItemsEventually(botIds.map(botKey));
  return items.flatMap(item => (item ? [parseBot(item)] : []));
}

export async function findBotWithDefinition(
  botId: string,
  read = readItems,
): Promise<{ bot: Bot; definition: BotDefinition } | undefined> {
  if (!isUuid(botId)) return undefined;
  const [item, definition] = await read([botKey(botId), definitionKey(botPk(botId))]);
  if (!item) return undefined;
  const bot = parseCurrentBot(item);
  const opened = { ...EMPTY_BOT_DEFINITION, ...(definition && openDefinition(botId, await loadStored(definition))) };
  return { bot, definition: { ...opened, installations: withEverySetting(bot, opened) } };
}

/** An import without secrets has no settings of installations. Their settings start empty. */
const withEverySetting = ({ installations }: Bot, definition: BotDefinition): BotDefinition['installations'] => ({
  ...Object.fromEntries(installations.map(({ alias }) => [alias, newSettings()])),
  ...definition.installations,
});

export async function findSubscriptions(botId: string): Promise<string[]> {
  const item = await readItem(definitionKey(botPk(botId)));
  return Object.keys((item && (await loadStored(item)).subscriptions?.events) ?? {});
}

/** Returns undefined when the recurring event was removed or the bot was deleted. */
export async function findRecurringEvent(botId: string, name: string): Promise<RecurringEvent | undefined> {
  const [bot, item] = await readItems([botKey(botId), definitionKey(botPk(botId))]);
  if (!bot || bot.deletedAtMs !== undefined || !item) return undefined;
  const { recurringEvents = {} } = await loadStored(item);
  return own(recurringEvents, name);
}

type Secrets = Pick<BotDefinition, 'configuration' | 'installations' | 'plugins'>;
type StoredDefinition = Omit<BotDefinition, keyof Secrets> & { sealed: string };

const loadStored = async (item: Item) => (await loadItemValue(item)) as StoredDefinition;

const openDefinition = (botId: string, { sealed, ...rest }: StoredDefinition): BotDefinition => ({
  ...rest,
  ...(JSON.parse(openText(sealed, { owner: botId, field: 'settings' })) as Secrets),
});

const sealDefinition = (
  botId: string,
  { configuration, installations, plugins, ...rest }: BotDefinition,
): StoredDefinition => ({
  ...rest,
  sealed: sealText(JSON.stringify({ configuration, installations, plugins } satisfies Secrets), {
    owner: botId,
    field: 'settings',
  }),
});

const itemOf = (bot: Bot) => ({
  ...botKey(bot.id),
  ...bot,
  // A bot that is being deleted moves to a list that only the deletion reads.
  ...workspaceListing(bot.workspaceId, bot.deletedAtMs === undefined ? 'bots' : 'endingBots', bot),
});

export const putNewBot = async (bot: Bot, definition: BotDefinition): Promise<Write[]> => [
  {
    put: { Item: itemOf(bot), ConditionExpression: 'attribute_not_exists(pk)' },
    onRefused: () => new WriteConflict(),
  },
  await putBotDefinition(bot.id, definition),
];

export const changeBot = (before: Bot, after: Bot): Write => ({
  put: {
    Item: itemOf({ ...after, version: before.version + 1 }),
    ConditionExpression: 'version = :version AND attribute_not_exists(deletedAtMs)',
    ExpressionAttributeValues: { ':version': before.version },
  },
  onRefused: existing =>
    existing && existing.deletedAtMs === undefined ? new WriteConflict() : notFound(`The bot ${before.id}`),
});

/** Widens the bot's lists and increments its version. Returns false if it was deleted or is already wide. */
export const widenBot = (botId: string, wideFromMs: number): Promise<boolean> =>
  tryWrite({
    update: {
      Key: botKey(botId),
      UpdateExpression: 'SET wideFromMs = :from ADD version :one',
      ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(wideFromMs)',
      ExpressionAttributeValues: { ':from': wideFromMs, ':one': 1 },
    },
  });

/** Must be in the transaction that writes the bot's next version. */
export const putBotDefinition = (botId: string, definition: BotDefinition): Promise<Write> =>
  putDefinition(botPk(botId), botId, sealDefinition(botId, definition));

export const removeEndedBot = (botId: string): Write => ({
  remove: { Key: botKey(botId), ConditionExpression: 'attribute_exists(deletedAtMs)' },
  onRefused: () => notFound(`The bot ${botId}`),
});

/** Fails the creation of a key if the bot was transferred, because a transfer revokes its keys. */
export const botMustExist = ({ id, workspaceId, keyEpoch }: Bot): Write => ({
  check: {
    Key: botKey(id),
    ConditionExpression: `workspaceId = :workspaceId AND attribute_not_exists(deletedAtMs) AND ${
      keyEpoch === undefined ? 'attribute_not_exists(keyEpoch)' : 'keyEpoch = :keyEpoch'
    }`,
    ExpressionAttributeValues: {
      ':workspaceId': workspaceId,
      ...(keyEpoch === undefined ? {} : { ':keyEpoch': keyEpoch }),
    },
  },
  onRefused: () => new WriteConflict(),
});

/** Fails after a change of the bot or of its definition. */
export const botMustBeUnchanged = ({ id, version }: Bot): Write => ({
  check: {
    Key: botKey(id),
    ConditionExpression: 'version = :version AND attribute_not_exists(deletedAtMs)',
    ExpressionAttributeValues: { ':version': version },
  },
  onRefused: () => new WriteConflict(),
});

export type ListOrder = { field: 'createdAt' | 'updatedAt'; direction: 'asc' | 'desc' };
export type ListPosition = { sortKey: string; id: string };

export async function listBots(
  workspaceId: string,
  { field, direction }: ListOrder,
  { after, limit, list = 'bots' }: { after: ListPosition | undefined; limit: number; list?: 'bots' | 'endingBots' },
): Promise<{ bots: { bot: Bot; position: ListPosition }[]; isEnd: boolean }> {
  const gsiPk = workspaceListPk(workspaceId, list);
  const sortKey = field === 'createdAt' ? 'gsi1Sk' : 'gsi2Sk';
  const { Items = [], LastEvaluatedKey } = await documents.send(
    new QueryCommand({
      TableName: environment.tableName,
      IndexName: field === 'createdAt' ? 'gsi1' : 'gsi2',
      KeyConditionExpression: 'gsiPk = :gsiPk',
      ExpressionAttributeValues: { ':gsiPk': gsiPk },
      ScanIndexForward: direction === 'asc',
      Limit: limit,
      ExclusiveStartKey: after && { ...botKey(after.id), gsiPk, [sortKey]: after.sortKey },
    }),
  );
  const items = await readItems(Items.map(({ pk, sk }) => ({ pk, sk })));
  const bots = items.flatMap((item, i) =>
    item ? [{ bot: parseCurrentBot(item), position: { sortKey: Items[i]![sortKey], id: item.id } }] : [],
  );
  return { bots, isEnd: !LastEvaluatedKey };
}

/** Returns the ids of the bots of a workspace that were updated last. */
export async function listBotIds(workspaceId: string, limit: number): Promise<string[]> {
  const { items } = await queryPage({
    IndexName: 'gsi2',
    KeyConditionExpression: 'gsiPk = :pk',
    ExpressionAttributeValues: { ':pk': workspaceListPk(workspaceId, 'bots') },
    ScanIndexForward: false,
    Limit: limit,
  });
  return items.map(({ pk }) => splitPk(pk).botId);
}

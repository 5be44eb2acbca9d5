import * as z from 'zod/mini';
import { trusted } from '#shared/api/verbatim.ts';
import { dateTime, iso } from '#shared/api/views.ts';
import {
  ActionDefinition,
  anyObject,
  EventDefinition,
  mapOf,
  TagDefinition,
} from '#shared/domain/admin/adminInputs.ts';
import { viewPluginListItem } from '#shared/domain/admin/packages/packageView.ts';
import {
  secretPathsOf,
  uniquePaths,
  withoutSecretDefaults,
  withoutSecrets,
} from '#shared/domain/admin/secretFields.ts';
import { seesConfigurations } from '#shared/domain/admin/seesConfigurations.ts';
import { BOT_TYPES, type Bot } from '#shared/storage/dynamodb/bots/bots.ts';
import type { Installation } from '#shared/storage/dynamodb/bots/installation.ts';
import { isRollingOut } from '#shared/storage/dynamodb/code/deployments.ts';
import type { BotDefinition } from '#shared/storage/dynamodb/definitions/botDefinition.ts';
import { findIntegrations, type Integration } from '#shared/storage/dynamodb/integrations/integrations.ts';
import { findPackages, isPackageVisibleTo, type Package } from '#shared/storage/dynamodb/integrations/packages.ts';
import type { Role } from '#shared/storage/dynamodb/workspace/roles.ts';
import { BotState, Media, RecurringEvent } from './botInputs.ts';
import { type EndpointCondition, ListedEndpoint, viewListedEndpoint } from './endpointView.ts';
import { viewInstallation } from './installationView.ts';

export const BOT_STATUSES = ['active', 'deploying', 'deleting'] as const;

export const statusOfBot = (bot: Bot): (typeof BOT_STATUSES)[number] =>
  bot.deletedAtMs !== undefined ? 'deleting' : isRollingOut(bot) ? 'deploying' : 'active';

export const BotView = z.object({
  id: z.string(),
  createdAt: dateTime(),
  updatedAt: dateTime(),
  signingSecret: z.string(),
  integrations: trusted(mapOf(anyObject())),
  plugins: trusted(mapOf(anyObject())),
  maxExecutionTime: z.optional(z.number()),
  user: trusted(z.object({ tags: mapOf(TagDefinition) })),
  conversation: trusted(z.object({ tags: mapOf(TagDefinition) })),
  message: trusted(z.object({ tags: mapOf(TagDefinition) })),
  states: trusted(mapOf(BotState)),
  configuration: trusted(z.object({ data: anyObject(), schema: anyObject() })),
  events: trusted(mapOf(EventDefinition)),
  recurringEvents: trusted(mapOf(RecurringEvent)),
  subscriptions: trusted(z.object({ events: z.nullable(mapOf(anyObject())) })),
  actions: trusted(mapOf(ActionDefinition)),
  tags: z.record(z.string(), z.string()),
  name: z.string(),
  description: z.optional(z.string()),
  deployedAt: z.optional(dateTime()),
  dev: z.boolean(),
  secrets: z.array(z.string()),
  createdBy: z.optional(z.string()),
  alwaysAlive: z.boolean(),
  status: z.enum(BOT_STATUSES),
  /** The failure of the latest deployment. Extends the contract. */
  statusReason: z.optional(z.string()),
  medias: z.array(Media),
  type: z.enum(BOT_TYPES),
  url: z.optional(z.string()),
});

/** @param signingSecret set only after its creation; it is never shown again */
export async function viewBot(
  bot: Bot,
  definition: BotDefinition,
  viewer: Role,
  signingSecret = '',
): Promise<z.infer<typeof BotView>> {
  const isFull = seesConfigurations(viewer);
  const integrations = await findIntegrations(bot.installations.map(({ integrationId }) => integrationId));
  return {
    id: bot.id,
    createdAt: iso(bot.createdAtMs),
    updatedAt: iso(bot.updatedAtMs),
    signingSecret,
    integrations: await viewInstallations(bot, definition, integrations, isFull),
    plugins: await viewPlugins(bot.workspaceId, definition, isFull),
    maxExecutionTime: definition.maxExecutionTime,
    user: { tags: definition.tagDefinitions.user },
    conversation: { tags: definition.tagDefinitions.conversation },
    message: { tags: definition.tagDefinitions.message },
    states: definition.states,
    configuration: viewConfiguration(definition.configuration, isFull),
    events: definition.events,
    recurringEvents: Object.fromEntries(
      Object.entries(definition.recurringEvents).map(([key, event]) => [
        key,
        { failedAttempts: 0, lastFailureReason: null, ...event },
      ]),
    ),
    subscriptions: definition.subscriptions,
    actions: definition.actions,
    tags: bot.tags,
    name: bot.name,
    description: bot.description,
    deployedAt: bot.deployedAtMs === undefined ? undefined : iso(bot.deployedAtMs),
    dev: bot.isDev,
    secrets: Object.keys(definition.secrets),
    createdBy: bot.createdBy,
    alwaysAlive: definition.alwaysAlive,
    status: statusOfBot(bot),
    statusReason: bot.rollout?.failure,
    medias: definition.medias,
    type: bot.type,
    url: isFull ? bot.url : undefined,
  };
}

const viewConfiguration = ({ data, schema, secretPaths = [] }: BotDefinition['configuration'], isFull: boolean) => ({
  data: isFull ? withoutSecrets(data, uniquePaths([...secretPaths, ...secretPathsOf(schema)])) : {},
  schema: withoutSecretDefaults(schema),
});

async function viewInstallations(
  bot: Bot,
  { installations }: BotDefinition,
  integrations: Map<string, Integration>,
  isFull: boolean,
) {
  const views = bot.installations.map(async (installation: Installation) => [
    installation.alias,
    await viewInstallation(
      installation,
      installations[installation.alias]!,
      integrations.get(installation.integrationId),
      isFull,
    ),
  ]);
  return Object.fromEntries(await Promise.all(views));
}

/** Plugins that were deleted, or that the workspace may no longer use, are shown by their alias. */
async function viewPlugins(
  workspaceId: string,
  { plugins }: BotDefinition,
  isFull: boolean,
): Promise<Record<string, Record<string, unknown>>> {
  const ids = Object.values(plugins).map(({ id }) => id);
  const packages = ids.length === 0 ? new Map<string, Package>() : await findPackages('plugin', ids);
  const views = Object.entries(plugins).map(async ([alias, { createdAtMs, updatedAtMs, ...rest }]) => {
    const found = packages.get(rest.id);
    const isVisible = found !== undefined && isPackageVisibleTo(found, workspaceId);
    return [
      alias,
      {
        ...{ ...UNKNOWN_PLUGIN, name: alias, title: alias, enabled: true, configuration: {} },
        ...rest,
        ...(isVisible ? await viewPluginListItem(found) : {}),
        // The dates are those of the installation, not of the package.
        createdAt: iso(createdAtMs),
        updatedAt: iso(updatedAtMs),
        ...(isFull ? {} : { configuration: {} }),
      },
    ] as const;
  });
  return Object.fromEntries(await Promise.all(views));
}

const UNKNOWN_PLUGIN = {
  version: '',
  description: '',
  iconUrl: '',
  readmeUrl: '',
  public: false,
  visibility: 'private',
  lifecycleStatus: 'published',
} as const;

export const BotListItem = z.object({
  id: z.string(),
  createdAt: dateTime(),
  updatedAt: dateTime(),
  name: z.string(),
  deployedAt: z.optional(dateTime()),
  tags: z.record(z.string(), z.string()),
  type: z.enum(BOT_TYPES),
  dev: z.boolean(),
  /** For roles that may see it. Extends the contract. */
  endpoint: z.optional(ListedEndpoint),
});

export const viewBotListItem = (bot: Bot, condition: EndpointCondition | undefined): z.infer<typeof BotListItem> => ({
  id: bot.id,
  createdAt: iso(bot.createdAtMs),
  updatedAt: iso(bot.updatedAtMs),
  name: bot.name,
  deployedAt: bot.deployedAtMs === undefined ? undefined : iso(bot.deployedAtMs),
  tags: bot.tags,
  type: bot.type,
  dev: bot.isDev,
  endpoint: condition && viewListedEndpoint(condition),
});

/** Bots, as the admin interface takes and shows them. */
import * as z from 'zod/mini';
import { trusted } from '#shared/api/verbatim.ts';
import { dateTime, iso } from '#shared/api/views.ts';
import {
  BOT_TYPES,
  type Bot,
  findBot,
  findBotWithDefinition,
  type Installation,
} from '#shared/dynamodb/workspace/bots.ts';
import { findIntegrations, type Integration } from '#shared/dynamodb/workspace/integrations.ts';
import { environment } from '#shared/environment.ts';
import { ApiError, notFound } from '#shared/errors.ts';
import { text } from '#shared/text.ts';
import { mergeDefinitions, mergeMap, requireAnswerable } from './definition.ts';
import {
  ActionDefinition,
  anyObject,
  EventDefinition,
  httpUrl,
  mapOf,
  name,
  StateDefinition,
  TagDefinition,
  tagChanges,
  tags,
} from './inputs.ts';
import { viewInstalled } from './installations.ts';

const BotState = StateDefinition('conversation', 'user', 'bot');
const RecurringEvent = z.looseObject({
  schedule: z.looseObject({ cron: text(200).check(z.minLength(1)) }),
  type: name(),
  payload: anyObject(),
});
const Media = z.looseObject({ url: text(5_000), name: text(500) });
const configuration = z.looseObject({ data: z.optional(anyObject()), schema: z.optional(anyObject()) });
const subscriptions = z.looseObject({ events: z.nullable(mapOf(z.nullable(z.looseObject({})))) });

/** What `createBot` and `updateBot` take alike. */
const settings = {
  configuration: z.optional(configuration),
  code: z.optional(z.string()),
  description: z.optional(text(5_000)),
  medias: z.optional(z.array(Media).check(z.maxLength(100))),
  type: z.optional(z.enum(BOT_TYPES)),
  maxExecutionTime: z.optional(z.int().check(z.minimum(1), z.maximum(900))),
};

export const NewBot = z.object({
  ...settings,
  name: z.optional(name()),
  states: z.optional(mapOf(BotState)),
  events: z.optional(mapOf(EventDefinition)),
  recurringEvents: z.optional(mapOf(RecurringEvent)),
  subscriptions: z.optional(subscriptions),
  actions: z.optional(mapOf(ActionDefinition)),
  user: z.optional(z.looseObject({ tags: z.optional(mapOf(TagDefinition)) })),
  conversation: z.optional(z.looseObject({ tags: z.optional(mapOf(TagDefinition)) })),
  message: z.optional(z.looseObject({ tags: z.optional(mapOf(TagDefinition)) })),
  tags: z.optional(tags()),
  url: z.optional(httpUrl()),
  secrets: z.optional(mapOf(z.string())),
  dev: z.optional(z.boolean()),
});

const tagDefinitionChanges = z.optional(z.looseObject({ tags: z.optional(mapOf(z.nullable(TagDefinition))) }));

export const BotChanges = z.object({
  ...settings,
  name: z.optional(name()),
  url: z.optional(z.nullable(httpUrl())),
  authentication: z.optional(z.enum(['iam', 'hmac-sha256'])),
  blocked: z.optional(z.boolean()),
  alwaysAlive: z.optional(z.boolean()),
  tags: z.optional(tagChanges()),
  user: tagDefinitionChanges,
  message: tagDefinitionChanges,
  conversation: tagDefinitionChanges,
  events: z.optional(mapOf(z.nullable(EventDefinition))),
  actions: z.optional(mapOf(z.nullable(ActionDefinition))),
  states: z.optional(mapOf(z.nullable(BotState))),
  recurringEvents: z.optional(mapOf(z.nullable(RecurringEvent))),
  integrations: z.optional(
    mapOf(
      z.nullable(
        z.looseObject({
          enabled: z.optional(z.boolean()),
          integrationId: z.optional(z.string()),
          configurationType: z.optional(z.nullable(text(200))),
          configuration: z.optional(anyObject()),
          disabledChannels: z.optional(z.array(text(200)).check(z.maxLength(200))),
        }),
      ),
    ),
  ),
  plugins: z.optional(
    mapOf(
      z.nullable(
        z.looseObject({
          id: text(200),
          enabled: z.optional(z.boolean()),
          configuration: z.optional(anyObject()),
          interfaces: z.optional(mapOf(z.looseObject({ integrationId: z.string() }))),
          integrations: z.optional(mapOf(z.looseObject({ integrationId: z.string(), integrationAlias: z.string() }))),
        }),
      ),
    ),
  ),
  subscriptions: z.optional(subscriptions),
  secrets: z.optional(mapOf(z.nullable(z.string()))),
  layers: z.optional(z.array(text(500)).check(z.maxLength(50))),
});
export type BotChanges = z.infer<typeof BotChanges>;

/** What of an installation only the bot's owner sees. */
export interface InstallationSettings {
  configurationType: string | null;
  configuration: Record<string, unknown>;
  disabledChannels: string[];
  /** Signs the keys of its chat users, unless its configuration names a key of the bot's owner. */
  encryptionKey: string;
}

type Maps = Record<string, Record<string, unknown>>;

/** All that a bot declares: what `getBot` shows and nothing reads in passing. */
export interface BotDefinition {
  configuration: { data: Record<string, unknown>; schema: Record<string, unknown> };
  states: Maps;
  events: Maps;
  recurringEvents: Maps;
  actions: Maps;
  tagDefinitions: { user: Maps; conversation: Maps; message: Maps };
  subscriptions: { events: Record<string, object | null> | null };
  installations: Record<string, InstallationSettings>;
  plugins: Record<string, { id: string; createdAtMs: number; updatedAtMs: number; [key: string]: unknown }>;
  secrets: Record<string, string>;
  medias: { url: string; name: string }[];
  maxExecutionTime?: number | undefined;
  alwaysAlive: boolean;
  authentication?: string | undefined;
  isBlocked: boolean;
  layers: string[];
}

export const EMPTY_DEFINITION: BotDefinition = {
  configuration: { data: {}, schema: {} },
  states: {},
  events: {},
  recurringEvents: {},
  actions: {},
  tagDefinitions: { user: {}, conversation: {}, message: {} },
  subscriptions: { events: null },
  installations: {},
  plugins: {},
  secrets: {},
  medias: [],
  alwaysAlive: false,
  isBlocked: false,
  layers: [],
};

/** The definition after a change; its installations change in `installations.ts`. */
export function changedDefinition(before: BotDefinition, input: BotChanges, nowMs: number): BotDefinition {
  const { user, conversation, message } = before.tagDefinitions;
  const definition: BotDefinition = {
    ...before,
    configuration: {
      data: input.configuration?.data ?? before.configuration.data,
      schema: input.configuration?.schema ?? before.configuration.schema,
    },
    states: mergeMap(before.states, input.states),
    events: mergeDefinitions(before.events, input.events as never),
    recurringEvents: mergeMap(before.recurringEvents, input.recurringEvents),
    actions: mergeDefinitions(before.actions, input.actions as never),
    tagDefinitions: {
      user: mergeMap(user, input.user?.tags),
      conversation: mergeMap(conversation, input.conversation?.tags),
      message: mergeMap(message, input.message?.tags),
    },
    subscriptions: {
      events:
        input.subscriptions === undefined
          ? before.subscriptions.events
          : input.subscriptions.events && mergeMap(before.subscriptions.events ?? {}, input.subscriptions.events),
    },
    plugins: changedPlugins(before.plugins, input.plugins, nowMs),
    secrets: mergeMap(before.secrets, input.secrets),
    medias: input.medias ?? before.medias,
    maxExecutionTime: input.maxExecutionTime ?? before.maxExecutionTime,
    alwaysAlive: input.alwaysAlive ?? before.alwaysAlive,
    authentication: input.authentication ?? before.authentication,
    isBlocked: input.blocked ?? before.isBlocked,
    layers: input.layers ?? before.layers,
  };
  requireAnswerable(definition);
  return definition;
}

function changedPlugins(
  before: BotDefinition['plugins'],
  changes: BotChanges['plugins'],
  nowMs: number,
): BotDefinition['plugins'] {
  const dated = Object.entries(changes ?? {}).map(([alias, plugin]) => [
    alias,
    plugin && { ...plugin, createdAtMs: before[alias]?.createdAtMs ?? nowMs, updatedAtMs: nowMs },
  ]);
  return mergeMap(before, Object.fromEntries(dated));
}

/** The bot's record after a change. @throws ApiError InvalidPayload when it has too many tags now */
export function changedBot(before: Bot, input: BotChanges, definition: BotDefinition, nowMs: number): Bot {
  const isDeployed = input.code !== undefined || typeof input.url === 'string';
  const allTags = mergeMap(before.tags, input.tags);
  const checked = tags().safeParse(allTags);
  if (!checked.success) throw new ApiError('InvalidPayload', `tags: ${checked.error.issues[0]!.message}`);
  return {
    ...before,
    name: input.name ?? before.name,
    description: input.description ?? before.description,
    type: input.type ?? before.type,
    tags: allTags,
    url: input.url === undefined ? before.url : (input.url ?? undefined),
    deployedAtMs: isDeployed ? nowMs : before.deployedAtMs,
    pluginNames: Object.keys(definition.plugins),
    // Never the same twice: a change in the same millisecond is a change.
    updatedAtMs: Math.max(nowMs, before.updatedAtMs + 1),
  };
}

/** A bot of this workspace, unless it is being deleted. @throws ApiError ResourceNotFound */
export async function requireBot(workspaceId: string, botId: string): Promise<Bot> {
  const bot = await findBot(botId);
  if (bot?.workspaceId !== workspaceId || bot.deletedAtMs !== undefined) throw notFound(`The bot ${botId}`);
  return bot;
}

/** The same with its definition, and also while it is being deleted. */
export async function requireBotWithDefinition(workspaceId: string, botId: string) {
  const found = await findBotWithDefinition<BotDefinition>(botId);
  if (found?.bot.workspaceId !== workspaceId) throw notFound(`The bot ${botId}`);
  return { bot: found.bot, definition: { ...EMPTY_DEFINITION, ...found.definition } };
}

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
  subscriptions: trusted(z.object({ events: z.nullable(mapOf(z.object({}))) })),
  actions: trusted(mapOf(ActionDefinition)),
  tags: z.record(z.string(), z.string()),
  name: z.string(),
  description: z.optional(z.string()),
  deployedAt: z.optional(dateTime()),
  dev: z.boolean(),
  /** Names only. */
  secrets: z.array(z.string()),
  createdBy: z.optional(z.string()),
  alwaysAlive: z.boolean(),
  status: z.enum(['active', 'deploying', 'deleting']),
  medias: z.array(Media),
  type: z.enum(BOT_TYPES),
  url: z.optional(z.string()),
});

/** @param signingSecret only where it is new: it is not shown again (contract) */
export async function viewBot(
  bot: Bot,
  definition: BotDefinition,
  signingSecret = '',
): Promise<z.infer<typeof BotView>> {
  const integrations = await findIntegrations(bot.installations.map(({ integrationId }) => integrationId));
  return {
    id: bot.id,
    createdAt: iso(bot.createdAtMs),
    updatedAt: iso(bot.updatedAtMs),
    signingSecret,
    integrations: await viewInstallations(bot, definition, integrations),
    plugins: Object.fromEntries(Object.entries(definition.plugins).map(viewPlugin)),
    maxExecutionTime: definition.maxExecutionTime,
    user: { tags: definition.tagDefinitions.user },
    conversation: { tags: definition.tagDefinitions.conversation },
    message: { tags: definition.tagDefinitions.message },
    states: definition.states as never,
    configuration: definition.configuration,
    events: definition.events as never,
    recurringEvents: Object.fromEntries(
      Object.entries(definition.recurringEvents).map(([key, event]) => [
        key,
        { failedAttempts: 0, lastFailureReason: null, ...event },
      ]),
    ) as never,
    subscriptions: definition.subscriptions as never,
    actions: definition.actions as never,
    tags: bot.tags,
    name: bot.name,
    description: bot.description,
    deployedAt: bot.deployedAtMs === undefined ? undefined : iso(bot.deployedAtMs),
    dev: bot.isDev,
    secrets: Object.keys(definition.secrets),
    createdBy: bot.createdBy,
    alwaysAlive: definition.alwaysAlive,
    status: bot.deletedAtMs === undefined ? 'active' : 'deleting',
    medias: definition.medias,
    type: bot.type,
    url: bot.url,
  };
}

async function viewInstallations(bot: Bot, { installations }: BotDefinition, integrations: Map<string, Integration>) {
  const views = bot.installations.map(async (installation: Installation) => [
    installation.alias,
    await viewInstalled(
      installation,
      installations[installation.alias]!,
      integrations.get(installation.integrationId),
      {
        chatBaseUrl: environment.chatBaseUrl,
      },
    ),
  ]);
  return Object.fromEntries(await Promise.all(views));
}

/** There is no registry of plugins here: what is known of one is what the bot says of it. */
const viewPlugin = ([alias, plugin]: [string, BotDefinition['plugins'][string]]) => {
  const { createdAtMs, updatedAtMs, ...rest } = plugin;
  return [
    alias,
    {
      enabled: true,
      name: alias,
      version: '',
      configuration: {},
      title: alias,
      description: '',
      iconUrl: '',
      readmeUrl: '',
      public: false,
      visibility: 'private',
      lifecycleStatus: 'published',
      createdAt: iso(createdAtMs),
      updatedAt: iso(updatedAtMs),
      ...rest,
    },
  ];
};

export const BotListItem = z.object({
  id: z.string(),
  createdAt: dateTime(),
  updatedAt: dateTime(),
  name: z.string(),
  deployedAt: z.optional(dateTime()),
  tags: z.record(z.string(), z.string()),
  type: z.enum(BOT_TYPES),
  dev: z.boolean(),
});

export const viewListedBot = (bot: Bot): z.infer<typeof BotListItem> => ({
  id: bot.id,
  createdAt: iso(bot.createdAtMs),
  updatedAt: iso(bot.updatedAtMs),
  name: bot.name,
  deployedAt: bot.deployedAtMs === undefined ? undefined : iso(bot.deployedAtMs),
  tags: bot.tags,
  type: bot.type,
  dev: bot.isDev,
});

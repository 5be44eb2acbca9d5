/** Integrations, as the admin interface takes and shows them. */
import * as z from 'zod/mini';
import { trusted } from '#shared/api/verbatim.ts';
import { dateTime, iso } from '#shared/api/views.ts';
import {
  findIntegration,
  findIntegrationWithDefinition,
  type Integration,
  isVisibleTo,
  VISIBILITIES,
} from '#shared/dynamodb/workspace/integrations.ts';
import { notFound } from '#shared/errors.ts';
import { text } from '#shared/text.ts';
import { assetUrl } from './assets.ts';
import { mergeDefinitions, mergeMap, requireAnswerable } from './definition.ts';
import {
  ActionDefinition,
  anyObject,
  EventDefinition,
  httpUrl,
  mapOf,
  StateDefinition,
  TagDefinition,
} from './inputs.ts';

const identifierOf = z.looseObject({
  required: z.optional(z.boolean()),
  linkTemplateScript: z.optional(z.nullable(text(100_000))),
});
const Configuration = z.looseObject({
  title: z.optional(text(200)),
  description: z.optional(text(2_000)),
  schema: z.optional(anyObject()),
  identifier: z.optional(identifierOf),
});
const Creation = z.looseObject({ enabled: z.boolean(), requiredTags: z.array(text(200)) });
const Tags = z.optional(mapOf(z.nullable(TagDefinition)));
const Channel = z.looseObject({
  title: z.optional(text(200)),
  description: z.optional(text(2_000)),
  messages: z.optional(mapOf(z.nullable(z.looseObject({ schema: anyObject() })))),
  conversation: z.optional(z.looseObject({ creation: z.optional(Creation), tags: Tags })),
  message: z.optional(z.looseObject({ tags: Tags })),
});
const User = z.looseObject({ creation: z.optional(Creation), tags: Tags });
const Named = z.looseObject({ name: text(200) });
const Interface = z.looseObject({
  id: text(200),
  entities: z.optional(mapOf(Named)),
  actions: z.optional(mapOf(Named)),
  events: z.optional(mapOf(Named)),
  channels: z.optional(mapOf(Named)),
});
const Entity = z.looseObject({
  title: z.optional(text(200)),
  description: z.optional(text(2_000)),
  schema: anyObject(),
});
const State = StateDefinition('conversation', 'integration', 'user');
const Identifier = z.looseObject({
  fallbackHandlerScript: z.optional(z.nullable(text(100_000))),
  extractScript: z.optional(z.nullable(text(100_000))),
});

/** Part of a path: `/integrations/{name}/{version}`. */
const integrationName = () =>
  text(100).check(
    z.regex(/^[A-Za-z0-9][A-Za-z0-9_-]*(?:\/[A-Za-z0-9][A-Za-z0-9_-]*)?$/, {
      error: 'Must be letters, digits, - and _, and may have one / after a workspace handle',
    }),
    // The address of its keys: an integration of this name could not be found by it.
    z.refine(text => text !== 'iaks', { error: 'This name is taken' }),
  );
const integrationVersion = () =>
  text(50).check(z.regex(/^\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.-]+)?$/, { error: 'Must be a version like 1.0.0' }));

/** What `createIntegration` and `updateIntegration` take alike; null takes something away. */
const settings = {
  configuration: z.optional(Configuration),
  configurations: z.optional(mapOf(z.nullable(Configuration))),
  states: z.optional(mapOf(z.nullable(State))),
  events: z.optional(mapOf(z.nullable(EventDefinition))),
  actions: z.optional(mapOf(z.nullable(ActionDefinition))),
  entities: z.optional(mapOf(z.nullable(Entity))),
  identifier: z.optional(Identifier),
  channels: z.optional(mapOf(z.nullable(Channel))),
  user: z.optional(User),
  interfaces: z.optional(mapOf(z.nullable(Interface))),
  extraOperations: z.optional(mapOf(z.nullable(z.looseObject({ enabled: z.boolean() })))),
  sdkVersion: z.optional(text(50)),
  secrets: z.optional(mapOf(z.nullable(z.string()))),
  code: z.optional(z.string()),
  icon: z.optional(z.string()),
  readme: z.optional(z.string()),
  title: z.optional(text(200)),
  description: z.optional(text(5_000)),
  public: z.optional(z.boolean()),
  visibility: z.optional(z.enum(VISIBILITIES)),
  layers: z.optional(z.array(text(500)).check(z.maxLength(50))),
  attributes: z.optional(mapOf(z.nullable(text(2_000)))),
};

export const NewIntegration = z.object({
  ...settings,
  name: integrationName(),
  version: integrationVersion(),
  url: z.optional(httpUrl()),
  dev: z.optional(z.boolean()),
});
export const IntegrationChanges = z.object({
  ...settings,
  url: z.optional(z.nullable(httpUrl())),
  maxExecutionTime: z.optional(z.int().check(z.minimum(1), z.maximum(900))),
});
export type IntegrationChanges = z.infer<typeof IntegrationChanges>;

type Maps<V = Record<string, unknown>> = Record<string, V>;
interface IdentifierOf {
  required?: boolean | undefined;
  linkTemplateScript?: string | null | undefined;
}
interface ConfigurationOf {
  title?: string | undefined;
  description?: string | undefined;
  schema?: Record<string, unknown> | undefined;
  identifier?: IdentifierOf | undefined;
}
interface ChannelOf {
  title?: string | undefined;
  description?: string | undefined;
  messages: Maps;
  conversation: { tags: Maps; creation: { enabled: boolean; requiredTags: string[] } };
  message: { tags: Maps };
}

/** All that an integration declares. */
export interface IntegrationDefinition {
  configuration: ConfigurationOf;
  configurations: Maps<ConfigurationOf>;
  states: Maps;
  events: Maps;
  actions: Maps;
  entities: Maps;
  identifier: { fallbackHandlerScript?: string | undefined; extractScript?: string | undefined };
  channels: Maps<ChannelOf>;
  user: { tags: Maps; creation: { enabled: boolean; requiredTags: string[] } };
  interfaces: Maps<Record<string, unknown> & { id: string }>;
  extraOperations: Maps;
  sdkVersion?: string | undefined;
  secrets: Record<string, string>;
  layers: string[];
  maxExecutionTime?: number | undefined;
}

const NO_CREATION = { enabled: false, requiredTags: [] };

export const EMPTY_INTEGRATION: IntegrationDefinition = {
  configuration: {},
  configurations: {},
  states: {},
  events: {},
  actions: {},
  entities: {},
  identifier: {},
  channels: {},
  user: { tags: {}, creation: NO_CREATION },
  interfaces: {},
  extraOperations: {},
  secrets: {},
  layers: [],
};

/** @throws ApiError LimitExceeded when the definition is too big to be shown */
export function changedIntegrationDefinition(
  before: IntegrationDefinition,
  input: IntegrationChanges,
): IntegrationDefinition {
  const definition: IntegrationDefinition = {
    ...before,
    configuration: changedConfiguration(before.configuration, input.configuration),
    configurations: mergeMap(
      before.configurations,
      mapValues(input.configurations, (change, key) => changedConfiguration(before.configurations[key], change)),
    ),
    states: mergeMap(before.states, input.states),
    events: mergeDefinitions(before.events, input.events as never),
    actions: mergeDefinitions(before.actions, input.actions as never),
    entities: mergeMap(before.entities, input.entities),
    identifier: withoutNulls({ ...before.identifier, ...input.identifier }),
    channels: mergeMap(
      before.channels,
      mapValues(input.channels, (change, key) => changedChannel(before.channels[key], change)),
    ),
    user: {
      tags: mergeMap(before.user.tags, input.user?.tags),
      creation: input.user?.creation ?? before.user.creation,
    },
    interfaces: mergeMap(before.interfaces, input.interfaces),
    extraOperations: mergeMap(before.extraOperations, input.extraOperations),
    sdkVersion: input.sdkVersion ?? before.sdkVersion,
    secrets: mergeMap(before.secrets, input.secrets),
    layers: input.layers ?? before.layers,
    maxExecutionTime: input.maxExecutionTime ?? before.maxExecutionTime,
  };
  requireAnswerable(definition);
  return definition;
}

const mapValues = <V, W>(map: Maps<V | null> | undefined, change: (value: V, key: string) => W): Maps<W | null> =>
  Object.fromEntries(
    Object.entries(map ?? {}).map(([key, value]) => [key, value === null ? null : change(value, key)]),
  );

const withoutNulls = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

function changedConfiguration(
  before: ConfigurationOf | undefined,
  change: z.infer<typeof Configuration> | undefined,
): ConfigurationOf {
  const identifier = withoutNulls({ ...before?.identifier, ...change?.identifier }) as IdentifierOf;
  return { ...before, ...change, ...(before?.identifier || change?.identifier ? { identifier } : {}) };
}

const changedChannel = (before: ChannelOf | undefined, change: z.infer<typeof Channel>): ChannelOf => ({
  ...before,
  ...change,
  messages: mergeMap(before?.messages, change.messages),
  conversation: {
    tags: mergeMap(before?.conversation.tags, change.conversation?.tags),
    creation: change.conversation?.creation ?? before?.conversation.creation ?? NO_CREATION,
  },
  message: { tags: mergeMap(before?.message.tags, change.message?.tags) },
});

/** The integration's record after a change. */
export function changedIntegration(
  before: Integration,
  input: IntegrationChanges,
  definition: IntegrationDefinition,
  nowMs: number,
): Integration {
  const publicly = input.public === undefined ? before.visibility : input.public ? 'public' : 'private';
  return {
    ...before,
    title: input.title ?? before.title,
    description: input.description ?? before.description,
    visibility: input.visibility ?? publicly,
    url: input.url === undefined ? before.url : (input.url ?? undefined),
    attributes: mergeMap(before.attributes, input.attributes),
    interfaces: Object.entries(definition.interfaces).map(([name, { id }]) => ({ id, name })),
    actionNames: Object.keys(definition.actions),
    updatedAtMs: Math.max(nowMs, before.updatedAtMs + 1),
  };
}

/** An integration of this workspace. @throws ApiError ResourceNotFound */
export async function requireIntegration(workspaceId: string, integrationId: string): Promise<Integration> {
  const integration = await findIntegration(integrationId);
  if (integration?.workspaceId !== workspaceId) throw notFound(`The integration ${integrationId}`);
  return integration;
}

/** The same with its definition. @throws ApiError ResourceNotFound */
export async function requireIntegrationWithDefinition(workspaceId: string, integrationId: string) {
  const found = await findIntegrationWithDefinition<IntegrationDefinition>(integrationId);
  if (found?.integration.workspaceId !== workspaceId) throw notFound(`The integration ${integrationId}`);
  return found;
}

/** One that this workspace may look at, with its definition. @throws ApiError ResourceNotFound */
export async function requireVisibleIntegration(workspaceId: string, integrationId: string) {
  const found = await findIntegrationWithDefinition<IntegrationDefinition>(integrationId);
  if (!found || !isVisibleTo(found.integration, workspaceId)) throw notFound(`The integration ${integrationId}`);
  return found;
}

const listed = {
  id: z.string(),
  name: z.string(),
  version: z.string(),
  createdAt: dateTime(),
  updatedAt: dateTime(),
  title: z.string(),
  description: z.string(),
  iconUrl: z.string(),
  public: z.boolean(),
  visibility: z.enum(VISIBILITIES),
  verificationStatus: z.enum(['pending', 'unapproved', 'approved', 'rejected']),
  lifecycleStatus: z.enum(['published', 'deprecated']),
  attributes: z.optional(z.record(z.string(), z.string())),
};

export const IntegrationView = z.object({
  ...listed,
  identifier: trusted(Identifier),
  maxExecutionTime: z.optional(z.number()),
  url: z.string(),
  signingSecret: z.string(),
  interfaces: trusted(mapOf(Interface)),
  configuration: trusted(Configuration),
  configurations: trusted(mapOf(Configuration)),
  channels: trusted(mapOf(Channel)),
  states: trusted(mapOf(State)),
  events: trusted(mapOf(EventDefinition)),
  actions: trusted(mapOf(ActionDefinition)),
  user: trusted(User),
  entities: trusted(mapOf(Entity)),
  dev: z.boolean(),
  readmeUrl: z.string(),
  /** Names only. */
  secrets: z.array(z.string()),
});

const viewConfiguration = ({ schema = {}, identifier, ...rest }: ConfigurationOf) => ({
  ...rest,
  schema,
  identifier: { ...identifier, required: identifier?.required ?? false },
});

/** @param signingSecret only where it is new: it is not shown again (contract) */
export async function viewIntegration(
  integration: Integration,
  definition: IntegrationDefinition,
  signingSecret = '',
): Promise<z.infer<typeof IntegrationView>> {
  return {
    ...(await viewListedIntegration(integration)),
    identifier: definition.identifier,
    maxExecutionTime: definition.maxExecutionTime,
    url: integration.url ?? '',
    signingSecret,
    interfaces: Object.fromEntries(
      Object.entries(definition.interfaces).map(([name, each]) => [
        name,
        { name, version: '', entities: {}, actions: {}, events: {}, channels: {}, ...each },
      ]),
    ) as never,
    configuration: viewConfiguration(definition.configuration),
    configurations: Object.fromEntries(
      Object.entries(definition.configurations).map(([key, each]) => [key, viewConfiguration(each)]),
    ),
    channels: definition.channels as never,
    states: definition.states as never,
    events: definition.events as never,
    actions: definition.actions as never,
    user: definition.user as never,
    entities: definition.entities as never,
    dev: integration.isDev,
    readmeUrl: await assetUrl(integration.readmeKey),
    secrets: Object.keys(definition.secrets),
  };
}

export const IntegrationListItem = z.object({
  ...listed,
  matchedOn: z.optional(
    z.object({
      name: z.optional(z.boolean()),
      title: z.optional(z.boolean()),
      description: z.optional(z.boolean()),
      actions: z.optional(z.array(z.string())),
      interfaces: z.optional(z.array(z.string())),
    }),
  ),
  ownerWorkspace: z.optional(z.object({ id: z.string(), handle: z.nullable(z.string()), name: z.string() })),
});

export const viewListedIntegration = async (integration: Integration) => ({
  id: integration.id,
  name: integration.name,
  version: integration.version,
  createdAt: iso(integration.createdAtMs),
  updatedAt: iso(integration.updatedAtMs),
  title: integration.title,
  description: integration.description,
  iconUrl: await assetUrl(integration.iconKey),
  public: integration.visibility === 'public',
  visibility: integration.visibility,
  verificationStatus: 'unapproved' as const,
  lifecycleStatus: 'published' as const,
  attributes: integration.attributes,
});

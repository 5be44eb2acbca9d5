import * as z from 'zod/mini';
import { trusted } from '#shared/api/verbatim.ts';
import { dateTime, iso } from '#shared/api/views.ts';
import { ActionDefinition, Entity, EventDefinition, mapOf, TagDefinition } from '#shared/domain/admin/adminInputs.ts';
import { assetUrl } from '#shared/domain/admin/assets.ts';
import { VISIBILITIES } from '#shared/storage/dynamodb/integrations/integrations.ts';
import type { Package } from '#shared/storage/dynamodb/integrations/packages.ts';
import type { InterfaceDefinition, PluginDefinition } from './definitions.ts';
import { InterfaceChannel, NameTemplate, PluginConfiguration, PluginState } from './packageInputs.ts';

const fields = {
  id: z.string(),
  name: z.string(),
  version: z.string(),
  createdAt: dateTime(),
  updatedAt: dateTime(),
  title: z.string(),
  description: z.string(),
  iconUrl: z.string(),
  readmeUrl: z.string(),
  public: z.boolean(),
};
const pluginFields = {
  ...fields,
  visibility: z.enum(VISIBILITIES),
  lifecycleStatus: z.enum(['published', 'deprecated']),
};
const attributes = z.optional(z.record(z.string(), z.string()));

export const InterfaceListItem = z.object(fields);
export const PluginListItem = z.object(pluginFields);

export const InterfaceView = z.object({
  ...fields,
  entities: trusted(mapOf(Entity)),
  events: trusted(mapOf(EventDefinition)),
  actions: trusted(mapOf(ActionDefinition)),
  channels: trusted(mapOf(InterfaceChannel)),
  nameTemplate: z.optional(NameTemplate),
  attributes,
});

const Tags = z.object({ tags: mapOf(TagDefinition) });
const References = mapOf(z.object({ id: z.string(), name: z.string(), version: z.string() }));

export const PluginView = z.object({
  ...pluginFields,
  configuration: trusted(PluginConfiguration),
  states: trusted(mapOf(PluginState)),
  events: trusted(mapOf(EventDefinition)),
  actions: trusted(mapOf(ActionDefinition)),
  dependencies: z.object({ interfaces: References, integrations: References }),
  user: trusted(Tags),
  conversation: trusted(Tags),
  message: trusted(Tags),
  attributes,
});

export const viewInterfaceListItem = async (each: Package): Promise<z.infer<typeof InterfaceListItem>> => ({
  id: each.id,
  name: each.name,
  version: each.version,
  createdAt: iso(each.createdAtMs),
  updatedAt: iso(each.updatedAtMs),
  title: each.title,
  description: each.description,
  iconUrl: await assetUrl(each.iconKey),
  readmeUrl: await assetUrl(each.readmeKey),
  public: each.visibility === 'public',
});

export const viewPluginListItem = async (each: Package): Promise<z.infer<typeof PluginListItem>> => ({
  ...(await viewInterfaceListItem(each)),
  visibility: each.visibility,
  lifecycleStatus: 'published',
});

export const viewInterface = async (
  each: Package,
  { entities, events, actions, channels, nameTemplate, attributes }: InterfaceDefinition,
): Promise<z.infer<typeof InterfaceView>> => ({
  ...(await viewInterfaceListItem(each)),
  entities: entities,
  events: events,
  actions: actions,
  channels: channels,
  nameTemplate,
  attributes,
});

export const viewPlugin = async (each: Package, definition: PluginDefinition): Promise<z.infer<typeof PluginView>> => ({
  ...(await viewPluginListItem(each)),
  configuration: definition.configuration,
  states: definition.states,
  events: definition.events,
  actions: definition.actions,
  dependencies: definition.dependencies,
  user: definition.user,
  conversation: definition.conversation,
  message: definition.message,
  attributes: definition.attributes,
});

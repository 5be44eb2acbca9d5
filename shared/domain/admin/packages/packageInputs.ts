import * as z from 'zod/mini';
import { optionalName, text } from '#shared/core/text.ts';
import {
  ActionDefinition,
  anyObject,
  content,
  Entity,
  EventDefinition,
  mapOf,
  packageName,
  packageVersion,
  StateDefinition,
  TagDefinition,
} from '#shared/domain/admin/adminInputs.ts';
import { VISIBILITIES } from '#shared/storage/dynamodb/integrations/integrations.ts';

const settings = {
  events: z.optional(mapOf(z.nullable(EventDefinition))),
  actions: z.optional(mapOf(z.nullable(ActionDefinition))),
  sdkVersion: z.optional(text(50)),
  icon: z.optional(z.string()),
  readme: z.optional(z.string()),
  title: z.optional(optionalName(200)),
  description: z.optional(text(5_000)),
  public: z.optional(z.boolean()),
  attributes: z.optional(mapOf(z.nullable(text(2_000)))),
};

export const InterfaceChannel = z.looseObject({
  title: z.optional(optionalName(200)),
  description: z.optional(text(2_000)),
  messages: z.optional(mapOf(z.nullable(z.looseObject({ schema: anyObject() })))),
});
export const NameTemplate = z.object({ script: text(100_000), language: text(50) });

const interfaceSettings = {
  ...settings,
  entities: z.optional(mapOf(z.nullable(Entity))),
  channels: z.optional(mapOf(z.nullable(InterfaceChannel))),
  nameTemplate: z.optional(z.nullable(NameTemplate)),
};

export const NewInterface = z.object({ ...interfaceSettings, name: packageName(), version: packageVersion() });
export const InterfaceChanges = z.object(interfaceSettings);
export type InterfaceChanges = z.infer<typeof InterfaceChanges>;

export const PluginConfiguration = z.looseObject({
  title: z.optional(optionalName(200)),
  description: z.optional(text(2_000)),
  schema: anyObject(),
});
export const PluginState = StateDefinition('conversation', 'user', 'bot');
const Tags = z.object({ tags: mapOf(z.nullable(TagDefinition)) });
/** Identified by id, or by name and a version, a range or `latest`. */
const Dependency = z
  .looseObject({ id: z.optional(text(200)), name: z.optional(text(200)), version: z.optional(text(200)) })
  .check(
    z.refine(({ id, name }) => Boolean(id) || Boolean(name), {
      error: 'Must have an id, or a name and a version',
    }),
  );
export type Dependency = z.infer<typeof Dependency>;
const Dependencies = z.object({
  interfaces: z.optional(mapOf(z.nullable(Dependency))),
  integrations: z.optional(mapOf(z.nullable(Dependency))),
});
export type Dependencies = z.infer<typeof Dependencies>;

const pluginSettings = {
  ...settings,
  configuration: z.optional(z.nullable(PluginConfiguration)),
  states: z.optional(mapOf(z.nullable(PluginState))),
  user: z.optional(Tags),
  conversation: z.optional(Tags),
  message: z.optional(Tags),
  visibility: z.optional(z.enum(VISIBILITIES)),
  dependencies: z.optional(Dependencies),
};

export const NewPlugin = z.object({
  ...pluginSettings,
  name: packageName(),
  version: packageVersion(),
  code: z.object({ node: content(), browser: content() }),
});
export const PluginChanges = z.object({
  ...pluginSettings,
  code: z.optional(z.object({ node: z.optional(content()), browser: z.optional(content()) })),
});
export type PluginChanges = z.infer<typeof PluginChanges>;

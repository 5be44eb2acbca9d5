import * as z from 'zod/mini';
import { optionalName, text } from '#shared/core/text.ts';
import {
  ActionDefinition,
  anyObject,
  content,
  Entity,
  EventDefinition,
  httpUrl,
  mapOf,
  packageName,
  packageVersion,
  StateDefinition,
  TagDefinition,
} from '#shared/domain/admin/adminInputs.ts';
import { sourceMap } from '#shared/domain/admin/sourceMap.ts';
import { VISIBILITIES } from '#shared/storage/dynamodb/integrations/integrations.ts';

const ConfigurationIdentifier = z.looseObject({
  required: z.optional(z.boolean()),
  linkTemplateScript: z.optional(z.nullable(text(100_000))),
});
export const Configuration = z.looseObject({
  title: z.optional(optionalName(200)),
  description: z.optional(text(2_000)),
  schema: z.optional(anyObject()),
  identifier: z.optional(ConfigurationIdentifier),
});
const Creation = z.looseObject({ enabled: z.boolean(), requiredTags: z.array(text(200)) });
const Tags = z.optional(mapOf(z.nullable(TagDefinition)));
export const Channel = z.looseObject({
  title: z.optional(optionalName(200)),
  description: z.optional(text(2_000)),
  messages: z.optional(mapOf(z.nullable(z.looseObject({ schema: anyObject() })))),
  conversation: z.optional(z.looseObject({ creation: z.optional(Creation), tags: Tags })),
  message: z.optional(z.looseObject({ tags: Tags })),
});
export const User = z.looseObject({ creation: z.optional(Creation), tags: Tags });
const Named = z.looseObject({ name: optionalName(200) });
export const Interface = z.looseObject({
  id: text(200),
  entities: z.optional(mapOf(Named)),
  actions: z.optional(mapOf(Named)),
  events: z.optional(mapOf(Named)),
  channels: z.optional(mapOf(Named)),
});
export const State = StateDefinition('conversation', 'integration', 'user');
export const Identifier = z.looseObject({
  fallbackHandlerScript: z.optional(z.nullable(text(100_000))),
  extractScript: z.optional(z.nullable(text(100_000))),
});

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
  secrets: z.optional(mapOf(z.nullable(content()))),
  code: z.optional(content()),
  sourceMap: sourceMap(),
  icon: z.optional(z.string()),
  readme: z.optional(z.string()),
  title: z.optional(optionalName(200)),
  description: z.optional(text(5_000)),
  public: z.optional(z.boolean()),
  visibility: z.optional(z.enum(VISIBILITIES)),
  layers: z.optional(z.array(text(500)).check(z.maxLength(50))),
  attributes: z.optional(mapOf(z.nullable(text(2_000)))),
};

export const NewIntegration = z.object({
  ...settings,
  name: packageName(),
  version: packageVersion(),
  url: z.optional(httpUrl()),
  dev: z.optional(z.boolean()),
});
export const IntegrationChanges = z.object({
  ...settings,
  url: z.optional(z.nullable(httpUrl())),
  maxExecutionTime: z.optional(z.int().check(z.minimum(1), z.maximum(900))),
});
export type IntegrationChanges = z.infer<typeof IntegrationChanges>;

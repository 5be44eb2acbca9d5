import * as z from 'zod/mini';
import { optionalName, text } from '#shared/core/text.ts';
import {
  ActionDefinition,
  anyObject,
  content,
  EventDefinition,
  httpUrl,
  mapOf,
  name,
  StateDefinition,
  TagDefinition,
  tagChanges,
  tags,
} from '#shared/domain/admin/adminInputs.ts';
import { sourceMap } from '#shared/domain/admin/sourceMap.ts';
import { BOT_TYPES } from '#shared/storage/dynamodb/bots/bots.ts';

export const BotState = StateDefinition('conversation', 'user', 'bot');
export const RecurringEvent = z.looseObject({
  schedule: z.looseObject({ cron: text(200).check(z.minLength(1)) }),
  type: name(),
  payload: anyObject(),
});
export const Media = z.looseObject({ url: text(5_000), name: optionalName(500) });
const configuration = z.looseObject({ data: z.optional(anyObject()), schema: z.optional(anyObject()) });
const subscriptions = z.looseObject({ events: z.nullable(mapOf(z.nullable(z.looseObject({})))) });

const settings = {
  configuration: z.optional(configuration),
  code: z.optional(content()),
  sourceMap: sourceMap(),
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
  secrets: z.optional(mapOf(content())),
  dev: z.optional(z.boolean()),
});

const tagDefinitionChanges = z.optional(z.looseObject({ tags: z.optional(mapOf(z.nullable(TagDefinition))) }));

export const BotChanges = z.object({
  ...settings,
  name: z.optional(name()),
  url: z.optional(z.nullable(httpUrl())),
  authentication: z.optional(z.enum(['iam', 'hmac-sha256'])),
  blocked: z.optional(z.literal(false, { error: 'Bots cannot be blocked. To stop a bot, disable its installations.' })),
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
          interfaces: z.optional(mapOf(z.looseObject({ integrationId: text(200) }))),
          integrations: z.optional(mapOf(z.looseObject({ integrationId: text(200), integrationAlias: text(200) }))),
        }),
      ),
    ),
  ),
  subscriptions: z.optional(subscriptions),
  secrets: z.optional(mapOf(z.nullable(content()))),
  layers: z.optional(z.array(text(500)).check(z.maxLength(50))),
});
export type BotChanges = z.infer<typeof BotChanges>;

import type * as z from 'zod/mini';
import { applyChanges } from '#shared/core/mapChanges.ts';
import { own } from '#shared/core/own.ts';
import { mergeDefinitions, requireDeclarationLimit, requireResponseSize } from '#shared/domain/admin/definition.ts';
import { rolloutFor } from '#shared/domain/admin/rolloutFor.ts';
import { ANY_TYPE, secretPathsOf } from '#shared/domain/admin/secretFields.ts';
import {
  type ChannelDefinition,
  type ConfigurationDefinition,
  type IdentifierDefinition,
  type IntegrationDefinition,
  NO_CREATION,
} from '#shared/storage/dynamodb/definitions/integrationDefinition.ts';
import type { Integration } from '#shared/storage/dynamodb/integrations/integrations.ts';
import type { SealedSecrets } from '#shared/storage/dynamodb/secrets/sealed.ts';
import type { Account } from '#shared/storage/dynamodb/workspace/accounts.ts';
import type { Channel, Configuration, IntegrationChanges } from './integrationInputs.ts';

/**
 * Returns the changed definition.
 * @param sealedSecrets the input's secrets, see `sealSecrets`; unsealed for a dry run
 * @throws ApiError LimitExceeded for too many declarations or a definition that exceeds a response
 */
export function changedIntegrationDefinition(
  before: IntegrationDefinition,
  input: IntegrationChanges,
  sealedSecrets: SealedSecrets,
): IntegrationDefinition {
  const definition: IntegrationDefinition = {
    ...before,
    configuration: changedConfiguration(before.configuration, input.configuration),
    configurations: applyChanges(
      before.configurations,
      mapValues(input.configurations, (change, key) => changedConfiguration(own(before.configurations, key), change)),
    ),
    states: applyChanges(before.states, input.states),
    events: mergeDefinitions(before.events, input.events),
    actions: mergeDefinitions(before.actions, input.actions),
    entities: applyChanges(before.entities, input.entities),
    identifier: withoutNulls({ ...before.identifier, ...input.identifier }),
    channels: applyChanges(
      before.channels,
      mapValues(input.channels, (change, key) => changedChannel(own(before.channels, key), change)),
    ),
    user: {
      tags: applyChanges(before.user.tags, input.user?.tags),
      creation: input.user?.creation ?? before.user.creation,
    },
    interfaces: applyChanges(before.interfaces, input.interfaces),
    extraOperations: applyChanges(before.extraOperations, input.extraOperations),
    sdkVersion: input.sdkVersion ?? before.sdkVersion,
    secrets: applyChanges(before.secrets, sealedSecrets),
    layers: input.layers ?? before.layers,
    maxExecutionTime: input.maxExecutionTime ?? before.maxExecutionTime,
  };
  const { configurations, states, events, actions, entities, channels, interfaces, extraOperations, secrets } =
    definition;
  requireDeclarationLimit({
    configurations,
    states,
    events,
    actions,
    entities,
    channels,
    'user.tags': definition.user.tags,
    interfaces,
    extraOperations,
    secrets,
  });
  requireResponseSize(definition);
  return definition;
}

const mapValues = <V, W>(
  map: Record<string, V | null> | undefined,
  change: (value: V, key: string) => W,
): Record<string, W | null> =>
  Object.fromEntries(
    Object.entries(map ?? {}).map(([key, value]) => [key, value === null ? null : change(value, key)]),
  );

const withoutNulls = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

function changedConfiguration(
  before: ConfigurationDefinition | undefined,
  change: z.infer<typeof Configuration> | undefined,
): ConfigurationDefinition {
  const identifier = withoutNulls({ ...before?.identifier, ...change?.identifier }) as IdentifierDefinition;
  return { ...before, ...change, ...(before?.identifier || change?.identifier ? { identifier } : {}) };
}

const changedChannel = (before: ChannelDefinition | undefined, change: z.infer<typeof Channel>): ChannelDefinition => ({
  ...before,
  ...change,
  messages: applyChanges(before?.messages, change.messages),
  conversation: {
    tags: applyChanges(before?.conversation.tags, change.conversation?.tags),
    creation: change.conversation?.creation ?? before?.conversation.creation ?? NO_CREATION,
  },
  message: { tags: applyChanges(before?.message.tags, change.message?.tags) },
});

/** Space for secret paths in the integration's item. */
const SECRET_PATHS_BYTES = 100_000;

/** Stored with the integration, so that viewing a bot needs no definitions. */
function secretPathsIn({ configuration, configurations }: IntegrationDefinition): Integration['secretPaths'] {
  const all = [
    { type: null, paths: secretPathsOf(configuration.schema) },
    ...Object.entries(configurations).map(([type, { schema }]) => ({ type, paths: secretPathsOf(schema) })),
  ].filter(({ paths }) => paths.length > 0);
  // Oversized lists collapse to one entry that marks everything as secret.
  return JSON.stringify(all).length <= SECRET_PATHS_BYTES ? all : [{ type: ANY_TYPE, paths: [[]] }];
}

export function changedIntegration(
  before: Integration,
  input: IntegrationChanges,
  definition: IntegrationDefinition,
  { account, nowMs }: { account: Pick<Account, 'id'>; nowMs: number },
): Integration {
  const byPublic = input.public === undefined ? before.visibility : input.public ? 'public' : 'private';
  return {
    ...before,
    title: input.title ?? before.title,
    description: input.description ?? before.description,
    visibility: input.visibility ?? byPublic,
    url: input.url === undefined ? before.url : (input.url ?? undefined),
    attributes: applyChanges(before.attributes, input.attributes),
    interfaces: Object.entries(definition.interfaces).map(([alias, { id, name }]) => ({
      id,
      name: String(name ?? alias),
    })),
    actionNames: Object.keys(definition.actions),
    secretPaths: secretPathsIn(definition),
    updatedAtMs: Math.max(nowMs, before.updatedAtMs + 1),
    ...rolloutFor(before, input, account.id),
  };
}

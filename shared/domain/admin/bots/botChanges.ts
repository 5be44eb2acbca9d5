import { ApiError } from '#shared/core/errors.ts';
import { applyChanges } from '#shared/core/mapChanges.ts';
import { own } from '#shared/core/own.ts';
import { tags } from '#shared/domain/admin/adminInputs.ts';
import { mergeDefinitions, requireDeclarationLimit, requireResponseSize } from '#shared/domain/admin/definition.ts';
import { rolloutFor } from '#shared/domain/admin/rolloutFor.ts';
import { keepSecrets, secretPathsOf, uniquePaths } from '#shared/domain/admin/secretFields.ts';
import type { Bot } from '#shared/storage/dynamodb/bots/bots.ts';
import type { BotDefinition } from '#shared/storage/dynamodb/definitions/botDefinition.ts';
import type { SealedSecrets } from '#shared/storage/dynamodb/secrets/sealed.ts';
import type { Account } from '#shared/storage/dynamodb/workspace/accounts.ts';
import type { BotChanges } from './botInputs.ts';
import { changedRecurringEvents } from './recurringEvents.ts';

/**
 * Returns the changed definition, without installations (`installations.ts`).
 * @param sealedSecrets the input's secrets, see `sealSecrets`
 * @throws ApiError LimitExceeded for too many declarations or a definition that exceeds a response
 */
export async function changedDefinition(
  before: BotDefinition,
  input: BotChanges,
  sealedSecrets: SealedSecrets,
  nowMs: number,
): Promise<BotDefinition> {
  const { user, conversation, message } = before.tagDefinitions;
  const definition: BotDefinition = {
    ...before,
    configuration: changedConfiguration(before.configuration, input.configuration),
    states: applyChanges(before.states, input.states),
    events: mergeDefinitions(before.events, input.events),
    recurringEvents: await changedRecurringEvents(before.recurringEvents, input.recurringEvents, nowMs),
    actions: mergeDefinitions(before.actions, input.actions),
    tagDefinitions: {
      user: applyChanges(user, input.user?.tags),
      conversation: applyChanges(conversation, input.conversation?.tags),
      message: applyChanges(message, input.message?.tags),
    },
    subscriptions: {
      events:
        input.subscriptions === undefined
          ? before.subscriptions.events
          : input.subscriptions.events && applyChanges(before.subscriptions.events ?? {}, input.subscriptions.events),
    },
    plugins: changedPlugins(before.plugins, input.plugins, nowMs),
    secrets: applyChanges(before.secrets, sealedSecrets),
    medias: input.medias ?? before.medias,
    maxExecutionTime: input.maxExecutionTime ?? before.maxExecutionTime,
    alwaysAlive: input.alwaysAlive ?? before.alwaysAlive,
    authentication: input.authentication ?? before.authentication,
    layers: input.layers ?? before.layers,
  };
  const { states, events, actions, tagDefinitions, plugins, secrets } = definition;
  requireDeclarationLimit({
    states,
    events,
    actions,
    'user.tags': tagDefinitions.user,
    'conversation.tags': tagDefinitions.conversation,
    'message.tags': tagDefinitions.message,
    'subscriptions.events': definition.subscriptions.events,
    plugins,
    secrets,
  });
  requireResponseSize(definition);
  return definition;
}

function changedConfiguration(
  before: BotDefinition['configuration'],
  change: BotChanges['configuration'],
): BotDefinition['configuration'] {
  const schema = change?.schema ?? before.schema;
  // Removing the secret mark from a field must not reveal its value.
  const secretPaths = uniquePaths([...(before.secretPaths ?? []), ...secretPathsOf(schema)]);
  return { data: change?.data ? keepSecrets(change.data, before.data, secretPaths) : before.data, schema, secretPaths };
}

function changedPlugins(
  before: BotDefinition['plugins'],
  changes: BotChanges['plugins'],
  nowMs: number,
): BotDefinition['plugins'] {
  const dated = Object.entries(changes ?? {}).map(([alias, plugin]) => [
    alias,
    plugin && { ...plugin, createdAtMs: own(before, alias)?.createdAtMs ?? nowMs, updatedAtMs: nowMs },
  ]);
  return applyChanges(before, Object.fromEntries(dated));
}

/** @throws ApiError InvalidPayload for too many tags */
export function changedBot(
  before: Bot,
  input: BotChanges,
  definition: BotDefinition,
  { account, nowMs }: { account: Pick<Account, 'id'>; nowMs: number },
): Bot {
  const isDeployed = input.code !== undefined || typeof input.url === 'string';
  const allTags = applyChanges(before.tags, input.tags);
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
    ...rolloutFor(before, input, account.id),
    pluginNames: Object.keys(definition.plugins),
    // Increases with every change, even within a millisecond.
    updatedAtMs: Math.max(nowMs, before.updatedAtMs + 1),
  };
}

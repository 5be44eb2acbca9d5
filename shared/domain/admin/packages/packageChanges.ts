import { applyChanges } from '#shared/core/mapChanges.ts';
import { own } from '#shared/core/own.ts';
import { mergeDefinitions, requireDeclarationLimit, requireResponseSize } from '#shared/domain/admin/definition.ts';
import type { Package } from '#shared/storage/dynamodb/integrations/packages.ts';
import { type InterfaceDefinition, NO_CONFIGURATION, type PluginDefinition } from './definitions.ts';
import type { InterfaceChanges, PluginChanges } from './packageInputs.ts';

/** @throws ApiError LimitExceeded for too many declarations or a definition that exceeds a response */
export function changedInterface(before: InterfaceDefinition, input: InterfaceChanges): InterfaceDefinition {
  const channels = Object.entries(input.channels ?? {}).map(([name, change]) => [
    name,
    change && {
      ...own(before.channels, name),
      ...change,
      messages: applyChanges(own(before.channels, name)?.messages, change.messages),
    },
  ]);
  const definition: InterfaceDefinition = {
    entities: applyChanges(before.entities, input.entities),
    events: mergeDefinitions(before.events, input.events),
    actions: mergeDefinitions(before.actions, input.actions),
    channels: applyChanges(before.channels, Object.fromEntries(channels)),
    nameTemplate: input.nameTemplate === undefined ? before.nameTemplate : (input.nameTemplate ?? undefined),
    sdkVersion: input.sdkVersion ?? before.sdkVersion,
    attributes: applyChanges(before.attributes, input.attributes),
  };
  const { entities, events, actions, attributes } = definition;
  requireDeclarationLimit({ entities, events, actions, channels: definition.channels, attributes });
  requireResponseSize(definition);
  return definition;
}

/**
 * @param dependencies resolved dependencies
 * @throws ApiError LimitExceeded as in {@link changedInterface}
 */
export function changedPlugin(
  before: PluginDefinition,
  input: PluginChanges,
  dependencies: PluginDefinition['dependencies'],
): PluginDefinition {
  const tags = (kind: 'user' | 'conversation' | 'message') => ({
    tags: applyChanges(before[kind].tags, input[kind]?.tags),
  });
  const definition: PluginDefinition = {
    configuration: input.configuration === undefined ? before.configuration : (input.configuration ?? NO_CONFIGURATION),
    states: applyChanges(before.states, input.states),
    events: mergeDefinitions(before.events, input.events),
    actions: mergeDefinitions(before.actions, input.actions),
    user: tags('user'),
    conversation: tags('conversation'),
    message: tags('message'),
    dependencies,
    sdkVersion: input.sdkVersion ?? before.sdkVersion,
    attributes: applyChanges(before.attributes, input.attributes),
  };
  const { states, events, actions, user, conversation, message, attributes } = definition;
  requireDeclarationLimit({
    states,
    events,
    actions,
    'user.tags': user.tags,
    'conversation.tags': conversation.tags,
    'message.tags': message.tags,
    attributes,
  });
  requireResponseSize(definition);
  return definition;
}

export type PackageFields = Pick<InterfaceChanges & PluginChanges, 'title' | 'description' | 'public' | 'visibility'>;

export function changedPackage(before: Package, input: PackageFields, nowMs: number): Package {
  const byPublic = input.public === undefined ? before.visibility : input.public ? 'public' : 'private';
  return {
    ...before,
    title: input.title ?? before.title,
    description: input.description ?? before.description,
    visibility: input.visibility ?? byPublic,
    updatedAtMs: Math.max(nowMs, before.updatedAtMs + 1),
  };
}

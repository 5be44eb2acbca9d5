import type {
  ActionDeclaration,
  EntityDeclaration,
  EventDeclaration,
  MessageDeclarations,
  StateDeclaration,
  TagDeclarations,
} from '#shared/storage/dynamodb/definitions/declarations.ts';

export interface InterfaceDefinition extends Record<string, unknown> {
  entities: Record<string, EntityDeclaration>;
  events: Record<string, EventDeclaration>;
  actions: Record<string, ActionDeclaration>;
  channels: Record<string, { [field: string]: unknown; messages: MessageDeclarations }>;
  nameTemplate?: { script: string; language: string } | undefined;
  sdkVersion?: string | undefined;
  attributes: Record<string, string>;
}

export interface Reference {
  id: string;
  name: string;
  version: string;
}

export interface PluginDefinition extends Record<string, unknown> {
  configuration: Record<string, unknown> & { schema: Record<string, unknown> };
  states: Record<string, StateDeclaration<'conversation' | 'user' | 'bot'>>;
  events: Record<string, EventDeclaration>;
  actions: Record<string, ActionDeclaration>;
  user: { tags: TagDeclarations };
  conversation: { tags: TagDeclarations };
  message: { tags: TagDeclarations };
  dependencies: { interfaces: Record<string, Reference>; integrations: Record<string, Reference> };
  sdkVersion?: string | undefined;
  attributes: Record<string, string>;
}

export const EMPTY_INTERFACE: InterfaceDefinition = {
  entities: {},
  events: {},
  actions: {},
  channels: {},
  attributes: {},
};

export const NO_CONFIGURATION = { schema: {} };

export const EMPTY_PLUGIN: PluginDefinition = {
  configuration: NO_CONFIGURATION,
  states: {},
  events: {},
  actions: {},
  user: { tags: {} },
  conversation: { tags: {} },
  message: { tags: {} },
  dependencies: { interfaces: {}, integrations: {} },
  attributes: {},
};

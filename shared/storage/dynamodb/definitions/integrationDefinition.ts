import type {
  ActionDeclaration,
  EntityDeclaration,
  EventDeclaration,
  MessageDeclarations,
  StateDeclaration,
  TagDeclarations,
} from './declarations.ts';

export interface IdentifierDefinition {
  required?: boolean | undefined;
  linkTemplateScript?: string | null | undefined;
}

export interface ConfigurationDefinition {
  title?: string | undefined;
  description?: string | undefined;
  schema?: Record<string, unknown> | undefined;
  identifier?: IdentifierDefinition | undefined;
}

interface Creation {
  [field: string]: unknown;
  enabled: boolean;
  requiredTags: string[];
}

export interface ChannelDefinition {
  [field: string]: unknown;
  title?: string | undefined;
  description?: string | undefined;
  messages: MessageDeclarations;
  conversation: { tags: TagDeclarations; creation: Creation };
  message: { tags: TagDeclarations };
}

export interface IntegrationDefinition {
  configuration: ConfigurationDefinition;
  configurations: Record<string, ConfigurationDefinition>;
  states: Record<string, StateDeclaration<'conversation' | 'integration' | 'user'>>;
  events: Record<string, EventDeclaration>;
  actions: Record<string, ActionDeclaration>;
  entities: Record<string, EntityDeclaration>;
  identifier: { fallbackHandlerScript?: string | undefined; extractScript?: string | undefined };
  channels: Record<string, ChannelDefinition>;
  user: { tags: TagDeclarations; creation: Creation };
  interfaces: Record<string, Record<string, unknown> & { id: string }>;
  extraOperations: Record<string, Record<string, unknown>>;
  sdkVersion?: string | undefined;
  secrets: Record<string, string>;
  layers: string[];
  maxExecutionTime?: number | undefined;
}

export const NO_CREATION: Creation = { enabled: false, requiredTags: [] };

export const EMPTY_INTEGRATION_DEFINITION: IntegrationDefinition = {
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

type Declarations<V = Record<string, unknown>> = Record<string, V>;

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
  enabled: boolean;
  requiredTags: string[];
}

export interface ChannelDefinition {
  title?: string | undefined;
  description?: string | undefined;
  messages: Declarations;
  conversation: { tags: Declarations; creation: Creation };
  message: { tags: Declarations };
}

export interface IntegrationDefinition {
  configuration: ConfigurationDefinition;
  configurations: Declarations<ConfigurationDefinition>;
  states: Declarations;
  events: Declarations;
  actions: Declarations;
  entities: Declarations;
  identifier: { fallbackHandlerScript?: string | undefined; extractScript?: string | undefined };
  channels: Declarations<ChannelDefinition>;
  user: { tags: Declarations; creation: Creation };
  interfaces: Declarations<Record<string, unknown> & { id: string }>;
  extraOperations: Declarations;
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

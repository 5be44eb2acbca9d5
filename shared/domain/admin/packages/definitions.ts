type Declarations<V = Record<string, unknown>> = Record<string, V>;

export interface InterfaceDefinition extends Record<string, unknown> {
  entities: Declarations;
  events: Declarations;
  actions: Declarations;
  channels: Declarations<Record<string, unknown> & { messages: Declarations }>;
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
  states: Declarations;
  events: Declarations;
  actions: Declarations;
  user: { tags: Declarations };
  conversation: { tags: Declarations };
  message: { tags: Declarations };
  dependencies: { interfaces: Declarations<Reference>; integrations: Declarations<Reference> };
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

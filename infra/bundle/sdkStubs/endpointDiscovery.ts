/**
 * Stands in for the SDK's endpoint discovery, which DynamoDB offers, no region needs, and nobody here turns on: 9 KB of
 * every bundle. The names are those that the DynamoDB client imports.
 */
export const resolveEndpointDiscoveryConfig = <Config>(config: Config): Config => config;

export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: () => undefined,
  configFileSelector: () => undefined,
  default: undefined,
};

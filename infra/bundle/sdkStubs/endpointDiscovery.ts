/**
 * Replaces the SDK's endpoint discovery, which DynamoDB supports, no region requires and this platform does not turn
 * on: 9 KB of every bundle. The DynamoDB client imports these names.
 */
export const resolveEndpointDiscoveryConfig = <Config>(config: Config): Config => config;

export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: () => undefined,
  configFileSelector: () => undefined,
  default: undefined,
};

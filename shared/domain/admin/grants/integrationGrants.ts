/** Decides which changes of an integration grant access, by comparing the stored integration with the changed one. */

import { own } from '#shared/core/own.ts';
import type {
  ConfigurationDefinition,
  IntegrationDefinition,
} from '#shared/storage/dynamodb/definitions/integrationDefinition.ts';
import type { Integration } from '#shared/storage/dynamodb/integrations/integrations.ts';
import { opensTo } from './audience.ts';
import { BOOKKEEPING, changedAttribute, type Harmless, isChanged } from './changedAttribute.ts';
import { DEPLOYMENT } from './deployment.ts';

interface IntegrationState {
  integration: Integration;
  definition: IntegrationDefinition;
}

const INTEGRATION: Harmless<Integration> = {
  ...BOOKKEEPING,
  title: 'a text',
  description: 'a text',
  attributes: 'labels that no rule reads',
  iconKey: 'an image',
  readmeKey: 'a text',
  interfaces: 'derived from the definition',
  actionNames: 'derived from the definition',
  secretPaths: 'derived from the definition; installations keep the paths that they had',
  url: 'compared below: only a new destination grants access',
  visibility: 'compared below: only a wider audience grants access',
  rollout: 'compared last',
};

const DEFINITION: Harmless<IntegrationDefinition> = {
  states: 'declares data of the integration',
  events: 'declares events of the integration',
  actions: 'declares actions of the integration',
  entities: 'declares data of the integration',
  channels: 'declares channels, and which records bots may request from the integration',
  user: 'declares tags, and whether bots may request users from the integration',
  interfaces: 'declares names of the integration',
  extraOperations: 'stored only',
  sdkVersion: 'a label',
  configuration: 'compared below: its schema only hides further fields',
  configurations: 'compared by type',
};

const CONFIGURATION: Harmless<ConfigurationDefinition> = {
  title: 'a text',
  description: 'a text',
  schema: 'installations keep the secret fields that they had',
};

/**
 * Returns the changed field that grants access beyond the caller's token, if any: a destination that receives the
 * configurations of installations, code, scripts that build destinations, or an audience.
 */
export function grantOfIntegration(before: IntegrationState, after: IntegrationState): string | undefined {
  const { url, visibility, rollout } = after.integration;
  if (url !== undefined && url !== before.integration.url) return 'url';
  if (opensTo(before.integration.visibility, visibility)) return 'visibility';
  return (
    grantOfConfigurations(before.definition, after.definition) ??
    changedAttribute(before.definition, after.definition, DEFINITION) ??
    changedAttribute(before.integration, after.integration, INTEGRATION) ??
    (isChanged(before.integration.rollout, rollout) ? DEPLOYMENT : undefined)
  );
}

function grantOfConfigurations(before: IntegrationDefinition, after: IntegrationDefinition): string | undefined {
  const changed = changedAttribute(before.configuration, after.configuration, CONFIGURATION);
  if (changed) return `configuration.${changed}`;
  for (const [type, configuration] of Object.entries(after.configurations)) {
    const field = changedAttribute(own(before.configurations, type) ?? {}, configuration, CONFIGURATION);
    if (field) return `configurations.${type}.${field}`;
  }
  return undefined;
}

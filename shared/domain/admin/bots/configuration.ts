/** Checks the configuration of an installation against its integration's schema. */

import { invalidPayload } from '#shared/core/errors.ts';
import { faultOf } from '#shared/core/jsonSchema.ts';
import type { InstallationSettings } from '#shared/storage/dynamodb/bots/botDefinition.ts';
import type { IntegrationDefinition } from '#shared/storage/dynamodb/integrations/integrationDefinition.ts';

/** Fields that Parley reads, which the ecosystem's definition of chat does not have. */
const OWN_FIELDS = ['encryptionKey', 'openSignUp', 'payloadExtensions', 'fileUploads', 'adminSecret'];

/** @throws ApiError InvalidPayload that names the field */
export function requireConfiguration(
  alias: string,
  { configuration, configurationType }: InstallationSettings,
  { definition, isChat }: { definition: IntegrationDefinition | undefined; isChat: boolean },
): void {
  if (!definition) return;
  const at = ['integrations', alias];
  const { configurations } = definition;
  if (configurationType !== null && !Object.hasOwn(configurations, configurationType)) {
    const known = Object.keys(configurations);
    const path = [...at, 'configurationType'].join('.');
    const choice = known.length > 0 ? `${known.join(', ').slice(0, 500)}, or null for the default one` : 'null only';
    throw invalidPayload(`${path}: The integration has no such type of configuration. It has ${choice}.`, path);
  }
  const { schema } = configurationType === null ? definition.configuration : configurations[configurationType]!;
  const checked = isChat
    ? Object.fromEntries(Object.entries(configuration).filter(([key]) => !OWN_FIELDS.includes(key)))
    : configuration;
  const fault = schema && faultOf(schema, checked);
  if (!fault) return;
  const path = [...at, 'configuration', ...fault.path].join('.');
  throw invalidPayload(`${path}: The value ${fault.message}.`, path);
}

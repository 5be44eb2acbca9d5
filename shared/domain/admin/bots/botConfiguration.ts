import { invalidPayload } from '#shared/core/errors.ts';
import { startOf } from '#shared/core/excerpt.ts';
import { faultOf } from '#shared/core/jsonSchema.ts';
import type { InstallationSettings } from '#shared/storage/dynamodb/definitions/botDefinition.ts';
import type { IntegrationDefinition } from '#shared/storage/dynamodb/definitions/integrationDefinition.ts';

/** Parley's extensions of the ecosystem's chat definition. */
export const OWN_FIELDS = [
  'encryptionKey',
  'openSignUp',
  'payloadExtensions',
  'fileUploads',
  'adminSecret',
  'allowedOrigins',
];

/** Fields of the ecosystem's chat definition that every chat has, such as a webchat. */
const CHAT_FIELDS = [...OWN_FIELDS, 'webhookUrl', 'webhookSecret'];

/** Validates a configuration against the integration's schema. @throws ApiError InvalidPayload */
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
    const choice = known.length > 0 ? `${startOf(known.join(', '), 500)}, or null for the default one` : 'null only';
    throw invalidPayload(`${path}: The integration has no such configuration type. Use ${choice}.`, path);
  }
  const { schema } = configurationType === null ? definition.configuration : configurations[configurationType]!;
  const checked = isChat
    ? Object.fromEntries(Object.entries(configuration).filter(([key]) => !CHAT_FIELDS.includes(key)))
    : configuration;
  const fault = schema && faultOf(schema, checked);
  if (!fault) return;
  const path = [...at, 'configuration', ...fault.path].join('.');
  throw invalidPayload(`${path}: The value ${fault.message}.`, path);
}

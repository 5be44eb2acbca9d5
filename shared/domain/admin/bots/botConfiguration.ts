import { invalidPayload } from '#shared/core/errors.ts';
import { startOf } from '#shared/core/excerpt.ts';
import { faultOf, type SchemaFault } from '#shared/core/jsonSchema.ts';
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

interface Declared {
  definition: IntegrationDefinition | undefined;
  isChat: boolean;
}

const isUnknownType = ({ configurationType }: InstallationSettings, { configurations }: IntegrationDefinition) =>
  configurationType !== null && !Object.hasOwn(configurations, configurationType);

const schemaOf = ({ configurationType }: InstallationSettings, definition: IntegrationDefinition) =>
  (configurationType === null ? definition.configuration : definition.configurations[configurationType]!).schema;

const checkedFields = ({ configuration }: InstallationSettings, isChat: boolean) =>
  isChat
    ? Object.fromEntries(Object.entries(configuration).filter(([key]) => !CHAT_FIELDS.includes(key)))
    : configuration;

/**
 * Validates the configuration of an enabled installation against the integration's schema. Missing fields of an
 * integration are no fault, because a bot may be deployed before it is configured. A chat has no such state.
 * @throws ApiError InvalidPayload
 */
export function requireConfiguration(
  alias: string,
  settings: InstallationSettings,
  { definition, isChat }: Declared,
): void {
  if (!definition) return;
  const at = ['integrations', alias];
  if (isUnknownType(settings, definition)) {
    const known = Object.keys(definition.configurations);
    const path = [...at, 'configurationType'].join('.');
    const choice = known.length > 0 ? `${startOf(known.join(', '), 500)}, or null for the default one` : 'null only';
    throw invalidPayload(`${path}: The integration has no such configuration type. Use ${choice}.`, path);
  }
  const schema = schemaOf(settings, definition);
  const fault = schema && faultOf(schema, checkedFields(settings, isChat), { mayLack: !isChat });
  if (fault) throw invalidConfiguration(alias, fault);
}

/** Rejects a configuration that lacks fields, for an installation that works. @throws ApiError InvalidPayload */
export function requireComplete(alias: string, settings: InstallationSettings, { definition }: Declared): void {
  const fault = definition && faultOf(schemaOf(settings, definition), settings.configuration);
  if (fault) throw invalidConfiguration(alias, fault);
}

function invalidConfiguration(alias: string, fault: SchemaFault) {
  const path = ['integrations', alias, 'configuration', ...fault.path].join('.');
  return invalidPayload(`${path}: The value ${fault.message}.`, path);
}

/** Bounds the installation's record. */
const MISSING_LIMIT = 20;
const NAME_LENGTH = 100;

/**
 * Returns the paths of required fields that a configuration lacks. The list is empty if the configuration is incomplete
 * in another way, for example if one of several fields is required. Undefined if it lacks nothing.
 */
export function missingConfiguration(
  settings: InstallationSettings,
  { definition, isChat }: Declared,
): string[] | undefined {
  if (!definition || isChat || isUnknownType(settings, definition)) return undefined;
  const schema = schemaOf(settings, definition);
  const fault = schema && faultOf(schema, settings.configuration);
  // An invalid value is not a missing one: it is rejected when the installation is enabled.
  if (!fault || faultOf(schema, settings.configuration, { mayLack: true })) return undefined;
  const required: unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const names = required.map(String).filter(name => !Object.hasOwn(settings.configuration, name));
  const paths = names.length > 0 ? names : fault.path.length > 0 ? [fault.path.join('.')] : [];
  return paths.slice(0, MISSING_LIMIT).map(path => startOf(path, NAME_LENGTH));
}

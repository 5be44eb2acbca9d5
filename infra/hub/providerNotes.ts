/** What an operator and the owner of a bot need at the provider of an integration. */
import { startOf } from '#shared/core/excerpt.ts';
import type { IntegrationDefinition } from '#shared/storage/dynamodb/definitions/integrationDefinition.ts';
import { clientIdSecret, hasClientId, ownClientId } from './linkTemplate.ts';
import { type DeclaredSecret, missingSecrets } from './secretValues.ts';

export interface Noted {
  id: string;
  name: string;
  version: string;
  definition: Pick<IntegrationDefinition, 'configuration' | 'configurations' | 'identifier'>;
  declared: readonly DeclaredSecret[];
  /** Names of secrets with a value. */
  secrets: readonly string[];
}

const LONGEST = 110;

/** Returns lines of text: the secrets, the URLs and the configuration. */
export function providerNotes(
  { id, name, version, definition, declared, secrets }: Noted,
  webhookBase: string,
): string[] {
  const { configuration, configurations, identifier } = definition;
  const template = configuration.identifier?.linkTemplateScript ?? '';
  const hasLink = [configuration, ...Object.values(configurations)].some(each => each.identifier?.linkTemplateScript);
  const missing = missingSecrets(declared, secrets);
  const clientId = clientIdSecret(declared.map(secret => secret.name));
  const isForeign = hasClientId(template) && ownClientId(template) === undefined && clientId !== undefined;
  return [
    `${name} ${version}   bp add ${name}`,
    ...missing.map(secret => `  missing secret  ${cut(withDescription(secret.name, secret.description))}`),
    ...(missing.length > 0 ? [`  set them with   npm run hub -- add ${name} --secrets <file>`] : []),
    ...(isForeign && !missing.some(secret => secret.name === clientId)
      ? [`  link            Pass ${clientId} again: the link names an application of Botpress.`]
      : []),
    `  webhook URL     ${webhookBase}/<id>, one for each bot: "bp bots get", or the console's page of the bot`,
    ...(hasLink || clientId ? [`  redirect URL    ${webhookBase}/oauth, for all bots`] : []),
    ...(identifier.extractScript
      ? [`  or shared URL   ${webhookBase}/integration/${id}, for all bots of an application with one webhook`]
      : []),
    ...fieldsOf(configuration.schema).map(field => `  configuration   ${cut(field)}`),
    ...Object.entries(configurations).map(([type, { title, description }]) =>
      cut(`  or the type     ${withDescription(type, description ?? title)}`),
    ),
  ];
}

interface Schema {
  properties?: Record<string, { description?: string; 'x-zui'?: { title?: string; hidden?: unknown } }>;
  required?: string[];
}

function fieldsOf(schema: unknown): string[] {
  const { properties = {}, required = [] } = (schema ?? {}) as Schema;
  return Object.entries(properties)
    .filter(([, field]) => field['x-zui']?.hidden !== true)
    .map(([key, { description, 'x-zui': zui }]) =>
      withDescription(required.includes(key) ? `${key} (required)` : key, description ?? zui?.title),
    );
}

const withDescription = (name: string, description: string | undefined) =>
  description ? `${name}: ${description.replaceAll(/\s+/g, ' ')}` : name;

const cut = (line: string) => (line.length <= LONGEST ? line : `${startOf(line, LONGEST - 1)}…`);

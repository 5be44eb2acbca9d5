/** The fields of a bot, an integration or a plugin that let others call the platform. */

interface Given {
  code?: unknown;
  secrets?: unknown;
  maxExecutionTime?: unknown;
}

interface Change {
  integrationId?: unknown;
  configuration?: unknown;
  enabled?: boolean | undefined;
}

/** Returns the field by which deployed code gets a key, or other code a bot's; undefined when there is none. */
export const codeField = (given: Given): string | undefined =>
  (['code', 'secrets', 'maxExecutionTime'] as const).find(field => given[field] !== undefined);

/**
 * Returns the field of a bot that grants access; undefined when none does. An installation admits its integration's
 * key, and its configuration decides which keys of users are valid.
 */
export function grantingFieldOfBot({
  integrations = {},
  ...given
}: Given & { integrations?: Readonly<Record<string, Change | null>> | undefined }): string | undefined {
  const alias = Object.entries(integrations).find(
    ([, change]) =>
      change && (change.integrationId !== undefined || change.configuration !== undefined || change.enabled === true),
  )?.[0];
  return codeField(given) ?? (alias === undefined ? undefined : `integrations.${alias}`);
}

/**
 * Returns the same of an integration, whose `url` receives the configurations of all its installations, with the keys
 * in them.
 */
export const grantingFieldOfIntegration = ({ url, ...given }: Given & { url?: unknown }): string | undefined =>
  codeField(given) ?? (typeof url === 'string' ? 'url' : undefined);

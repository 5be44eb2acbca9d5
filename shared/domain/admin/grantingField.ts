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

/** Returns the field that gives code a key, if any. */
export const codeField = (given: Given): string | undefined =>
  (['code', 'secrets', 'maxExecutionTime'] as const).find(field => given[field] !== undefined);

/**
 * Returns the field of a bot that grants access, if any. An installation admits its integration's key, and its
 * configuration decides which user keys are valid.
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
 * Returns the field of an integration that grants access, if any. Its `url` receives the configurations of all
 * installations, including keys.
 */
export const grantingFieldOfIntegration = ({ url, ...given }: Given & { url?: unknown }): string | undefined =>
  codeField(given) ?? (typeof url === 'string' ? 'url' : undefined);

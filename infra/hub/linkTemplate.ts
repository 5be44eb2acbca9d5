/**
 * Link templates of the public repository contain client ids of its owner's OAuth applications. A provider accepts only
 * the redirect URL of the application, so an installation of Parley needs an application of its own.
 */

const CLIENT_ID = /^clientId = "([^"]*)"$/m;
const PRODUCTION = /\n*if env == "production" \{([^}]*)\}\n*/;
const ASSIGNMENT = /^\s*(\w+) = ("[^"]*")$/gm;

/** Returns the template with this client id, or undefined if the template contains none. */
export function withClientId(template: string, clientId: string): string | undefined {
  if (!hasClientId(template) || !/^[\w.~-]+$/.test(clientId)) return undefined;
  const choices = PRODUCTION.exec(template)?.[1] ?? '';
  let script = template.replace(PRODUCTION, '\n\n');
  // Uses the provider's production addresses.
  for (const [, name, value] of choices.matchAll(ASSIGNMENT)) {
    script = script.replace(new RegExp(`^${name} = "[^"]*"$`, 'm'), () => `${name} = ${value}`);
  }
  return script.replace(CLIENT_ID, () => `clientId = "${clientId}"`);
}

/** Returns the id that {@link withClientId} wrote. Undefined for a template of the repository. */
export const ownClientId = (template: string): string | undefined =>
  PRODUCTION.test(template) ? undefined : CLIENT_ID.exec(template)?.[1];

export const hasClientId = (template: string): boolean => CLIENT_ID.test(template);

/** Returns the secret that contains the id of the OAuth application. */
export const clientIdSecret = (names: readonly string[]): string | undefined =>
  names.find(name => name === 'CLIENT_ID' || name === 'OAUTH_CLIENT_ID');

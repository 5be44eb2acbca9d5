/** The API addresses from `config.json` beside the page, which the stack or the local platform serves. */

export interface Configuration {
  apiUrl: string;
  chatUrl: string;
  /** Additional origins that serve files. */
  contentOrigins: string[];
}

let loaded: Configuration | undefined;

/** @throws Error when the file is missing or incomplete */
export async function loadConfiguration(): Promise<void> {
  const response = await fetch(new URL('config.json', document.baseURI), { cache: 'no-cache' });
  if (!response.ok) throw new Error(`config.json returned ${response.status}. Is the console deployed completely?`);
  const { apiUrl, chatUrl, contentOrigins = [] } = await response.json();
  if (!apiUrl || !chatUrl) throw new Error('config.json must contain apiUrl and chatUrl.');
  loaded = { apiUrl, chatUrl, contentOrigins };
}

export function configuration(): Configuration {
  if (!loaded) throw new Error('The configuration is not loaded.');
  return loaded;
}

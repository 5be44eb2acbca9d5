/** Returns a base URL without a trailing slash. @throws Error for an invalid URL */
export function parseBaseUrl(text: string): string {
  const url = URL.parse(text);
  const isBase = url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '' && url.username === '';
  if (!isBase) throw new Error(`A base URL must look like https://webhook.example.com, not ${text}.`);
  return text.replace(/\/+$/, '');
}

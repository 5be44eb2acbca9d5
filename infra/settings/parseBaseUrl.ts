/** An address under which an API is served, without a slash at its end. @throws Error when it is none */
export function parseBaseUrl(text: string): string {
  const url = URL.parse(text);
  const isBase = url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '' && url.username === '';
  if (!isBase) throw new Error(`A base address is like https://webhook.example.com, not ${text}.`);
  return text.replace(/\/+$/, '');
}

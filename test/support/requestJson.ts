/**
 * Sends a request that must succeed.
 * @returns the response's JSON
 */
export async function requestJson(
  method: string,
  url: string,
  { headers, body }: { headers: Record<string, string>; body?: unknown },
  // biome-ignore lint/suspicious/noExplicitAny: the answer of any operation
): Promise<any> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${text}`);
  return text ? JSON.parse(text) : undefined;
}

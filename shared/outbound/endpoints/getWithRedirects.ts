import { type Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';

const MAX_REDIRECTS = 3;

export interface RedirectOptions {
  headers: Record<string, string>;
  signal: AbortSignal;
  /** The agent that filters the addresses of a URL, or false. */
  agentFor(url: string): Agent | false;
  isAllowed(url: string): boolean;
}

/**
 * Gets an untrusted URL. Checks each redirect in the same way.
 * @returns the response with an unread body, or the reason, which contains no address
 * @throws errors of the connection, and on abort
 */
export async function getWithRedirects(
  url: string,
  options: RedirectOptions,
): Promise<IncomingMessage | { reason: string }> {
  if (!options.isAllowed(url)) return { reason: 'its address is not public' };
  let address = url;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await get(address, options);
    const { statusCode = 0, headers } = response;
    const next =
      headers.location && statusCode >= 300 && statusCode < 400 && URL.parse(headers.location, address)?.href;
    if (!next) return response;
    response.destroy();
    if (!options.isAllowed(next)) return { reason: 'it redirects to an address that is not public' };
    address = next;
  }
  return { reason: `it redirects more than ${MAX_REDIRECTS} times` };
}

const get = (url: string, { agentFor, headers, signal }: RedirectOptions): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const request = url.startsWith('https:') ? httpsRequest : httpRequest;
    request(url, { agent: agentFor(url), signal, headers })
      .on('response', resolve)
      .on('error', reject)
      .end();
  });

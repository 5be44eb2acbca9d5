/** Moves the path of an upgrade request into its query, as the distribution of a deployment does. */
import type { IncomingMessage } from 'node:http';

const LISTEN = /^(?:\/chat)?\/([^/]+)\/conversations\/([^/]+)\/listen\/?$/;
export const SOCKET_PATH = '/socket';

/** Returns undefined for another path, and for malformed encoding. */
export function connectQuery({ url = '' }: Pick<IncomingMessage, 'url'>): Record<string, string> | undefined {
  const { pathname, searchParams } = URL.parse(url, 'http://localhost') ?? {};
  if (pathname === undefined || searchParams === undefined) return undefined;
  const query = Object.fromEntries(searchParams);
  if (pathname === SOCKET_PATH) return query;
  const [, webhookId, conversationId] = LISTEN.exec(pathname) ?? [];
  if (webhookId === undefined || conversationId === undefined) return undefined;
  try {
    return {
      ...query,
      webhookId: decodeURIComponent(webhookId),
      conversationId: decodeURIComponent(conversationId),
    };
  } catch {
    return undefined;
  }
}

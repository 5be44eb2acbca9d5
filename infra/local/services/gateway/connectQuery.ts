/** Moves the path of an upgrade request into its query, as a deployment's distribution does (`chatRouting.js`). */
import type { IncomingMessage } from 'node:http';

const LISTEN = /^(?:\/chat)?\/([^/]+)\/conversations\/([^/]+)\/listen\/?$/;
export const SOCKET_PATH = '/socket';

/** Returns a status for another path, and for malformed encoding. */
export function connectQuery({ url = '' }: Pick<IncomingMessage, 'url'>): Record<string, string> | 400 | 404 {
  const { pathname, searchParams } = URL.parse(url, 'http://localhost') ?? {};
  if (pathname === undefined || searchParams === undefined) return 400;
  const query = Object.fromEntries(searchParams);
  if (pathname === SOCKET_PATH) return query;
  const [, webhookId, conversationId] = LISTEN.exec(pathname) ?? [];
  if (webhookId === undefined || conversationId === undefined) return 404;
  try {
    return {
      ...query,
      webhookId: decodeURIComponent(webhookId),
      conversationId: decodeURIComponent(conversationId),
    };
  } catch {
    return 400;
  }
}

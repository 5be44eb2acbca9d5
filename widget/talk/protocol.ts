/** The WebSocket protocol of Parley's own clients (docs/api/live.md), for the widget and the console. */

/** The first subprotocol. The credential is the second one, because URLs reach logs. */
export const SUBPROTOCOL = 'parley.v1';

/** Keeps a connection open. The server replies, because CloudFront closes one that receives nothing for 10 minutes. */
export const KEEP_ALIVE_FRAME = '{"action":"keepAlive"}';

/** Silence before a keep-alive frame. It is checked twice a minute. */
export const KEEP_ALIVE_MS = 8.5 * 60_000;

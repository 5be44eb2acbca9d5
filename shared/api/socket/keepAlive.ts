/**
 * The frame with which Parley's own clients keep a connection open. The gateway itself returns the reply, because
 * CloudFront closes a connection that receives no byte for 10 minutes, whatever the client sends.
 */
export const KEEP_ALIVE_ROUTE = 'keepAlive';
export const KEEP_ALIVE_REPLY = JSON.stringify({ type: 'alive', data: {} });

/** Minutes without a frame from the server after which a client sends one. */
export const KEEP_ALIVE_MINUTES = 9;

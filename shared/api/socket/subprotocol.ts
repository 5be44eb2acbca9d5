/**
 * The protocol of Parley's own clients, which they name in `Sec-WebSocket-Protocol`: frames have ids, and a client
 * continues after the last one that it has. Its credential follows in the same header, because URLs reach logs.
 */
export const SUBPROTOCOL = 'parley.v1';

/** Returns the credential of a client of Parley; undefined for other clients. */
export function parseSubprotocols(header: string | undefined): { isOwn: boolean; credential: string | undefined } {
  const [first, credential] = header?.split(',').map(each => each.trim()) ?? [];
  return first === SUBPROTOCOL ? { isOwn: true, credential } : { isOwn: false, credential: undefined };
}

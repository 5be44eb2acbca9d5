/**
 * The protocol of Parley's own clients, which they name in `Sec-WebSocket-Protocol`: frames have ids, a client resumes
 * after the last one that it has, and its key follows in the same header, because URLs reach logs.
 */
export const SUBPROTOCOL = 'parley.v1';

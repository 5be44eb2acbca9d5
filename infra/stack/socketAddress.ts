/** Stage of the WebSocket API, and the path by which the distribution forwards connections. */
export const SOCKET_STAGE = 'socket';

export interface SocketAddress {
  apiId: string;
  /** URL by which functions send to connections and close them. */
  endpoint: string;
}

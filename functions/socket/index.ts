/** Routes of the WebSocket API. */
export { connect } from './connect.ts';
export { disconnect } from './disconnect.ts';

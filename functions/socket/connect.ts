import { chatHandler, platformHandler } from '#shared/api/chain/chain.ts';
import { listenerEvent, watcherEvent } from '#shared/api/socket/connectEvent.ts';
import { socketRoute } from '#shared/api/socket/socketRoute.ts';
import { parseSubprotocols, SUBPROTOCOL } from '#shared/api/socket/subprotocol.ts';
import { header } from '#shared/api/steps/startCall.ts';
import { connectListener } from './connectListener.ts';
import { connectWatcher } from './connectWatcher.ts';

const listen = chatHandler(connectListener);
const watch = platformHandler(connectWatcher);

export const connect = socketRoute({
  name: 'connect',
  summary: 'Opens a connection of an end user to a conversation, or of a member to a bot.',
  route: '$connect',
  operations: [connectListener, connectWatcher],

  handle: async (event, context) => {
    const isListener = event.queryStringParameters?.webhookId !== undefined;
    const answer = await (isListener ? listen(listenerEvent(event), context) : watch(watcherEvent(event), context));
    const { isOwn } = parseSubprotocols(header(event, 'sec-websocket-protocol'));
    // Browsers close a connection whose response names none of the protocols that they offered.
    if (isOwn) answer.headers = { ...answer.headers, 'Sec-WebSocket-Protocol': SUBPROTOCOL };
    return answer;
  },
});

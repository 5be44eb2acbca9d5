import { chatHandler, platformHandler } from '#shared/api/chain/chain.ts';
import { inboxWatcherEvent, listenerEvent, watcherEvent } from '#shared/api/socket/connectEvent.ts';
import { socketRoute } from '#shared/api/socket/socketRoute.ts';
import { parseSubprotocols, SUBPROTOCOL } from '#shared/api/socket/subprotocol.ts';
import { header } from '#shared/api/steps/startCall.ts';
import { connectInboxWatcher } from './connectInboxWatcher.ts';
import { connectListener } from './connectListener.ts';
import { connectWatcher } from './connectWatcher.ts';

const listen = chatHandler(connectListener);
const watch = platformHandler(connectWatcher);
const watchInbox = platformHandler(connectInboxWatcher);

export const connect = socketRoute({
  name: 'connect',
  summary: 'Opens a connection of an end user to a conversation, or of a member to one or all bots.',
  route: '$connect',
  operations: [connectListener, connectWatcher, connectInboxWatcher],

  handle: async (event, context) => {
    const { webhookId, botId, workspaceId } = event.queryStringParameters ?? {};
    const isOfInbox = botId === undefined && workspaceId !== undefined;
    const answer = await (webhookId !== undefined
      ? listen(listenerEvent(event), context)
      : isOfInbox
        ? watchInbox(inboxWatcherEvent(event), context)
        : watch(watcherEvent(event), context));
    const { isOwn } = parseSubprotocols(header(event, 'sec-websocket-protocol'));
    // Browsers close a connection whose response names none of the protocols that they offered.
    if (isOwn) answer.headers = { ...answer.headers, 'Sec-WebSocket-Protocol': SUBPROTOCOL };
    return answer;
  },
});

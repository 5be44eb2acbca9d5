import { socketRoute } from '#shared/api/socket/socketRoute.ts';
import { log } from '#shared/core/log.ts';
import { removeConnectionById } from '#shared/storage/dynamodb/connections/connections.ts';

export const disconnect = socketRoute({
  name: 'disconnect',
  summary: 'Removes a closed connection. Pushes and expiry remove those that AWS does not report.',
  route: '$disconnect',
  partitions: { writes: ['connections', 'connectionSubjects'] },

  handle: async ({ requestContext }) => {
    const connection = await removeConnectionById(requestContext.connectionId!);
    log.info('Closed a connection.', { operation: 'disconnect', botId: connection?.botId, kind: connection?.kind });
    return { statusCode: 200 };
  },
});

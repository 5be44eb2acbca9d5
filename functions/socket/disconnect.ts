import { socketRoute } from '#shared/api/socket/socketRoute.ts';
import { log } from '#shared/core/log.ts';
import { measured } from '#shared/core/metrics.ts';
import { removeConnectionById } from '#shared/storage/dynamodb/connections/connections.ts';

export const disconnect = socketRoute({
  name: 'disconnect',
  summary: 'Removes a closed connection. Pushes and expiry remove those that AWS does not report.',
  route: '$disconnect',
  partitions: { writes: ['connections', 'connectionSubjects'] },

  handle: async ({ requestContext }) => {
    const connection = await removeConnectionById(requestContext.connectionId!);
    const { botId, kind } = connection ?? {};
    log.info('Closed a connection.', {
      operation: 'disconnect',
      botId,
      kind,
      ...(connection ? measured({ connections: -1 }) : {}),
    });
    return { statusCode: 200 };
  },
});

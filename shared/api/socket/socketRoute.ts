/** Routes of the WebSocket API. Roles, bundles, the stack and the local gateway derive from their declarations. */
import middy from '@middy/core';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Operation } from '#shared/api/operations/operations.ts';
import { errorFields, log } from '#shared/core/log.ts';
import type { TableAccess } from '#shared/storage/dynamodb/engine/tableAccess.ts';
import type { ConnectEvent } from './connectEvent.ts';

export type SocketEvent = ConnectEvent;

interface Declaration {
  /** Also the name of the file, the export and the Lambda (`socket-connect`). */
  name: string;
  summary: string;
  route: '$connect' | '$disconnect';
  /** Operations of other APIs that the route runs. The function has their access. */
  operations?: readonly Operation[];
  partitions?: TableAccess;
  handle(event: SocketEvent, context: Context): Promise<Partial<APIGatewayProxyResult> & { statusCode: number }>;
}

export interface SocketRoute extends Omit<Declaration, 'operations'> {
  operations: readonly Operation[];
  api: 'socket';
  group: 'socket';
}

export const socketRoute = ({ operations = [], handle, ...declared }: Declaration): SocketRoute => ({
  ...declared,
  operations,
  api: 'socket',
  group: 'socket',
  handle: middy<SocketEvent, Awaited<ReturnType<Declaration['handle']>>, Error, Context>()
    .use({ onError: logFailure(declared.name) })
    .handler(handle) as unknown as Declaration['handle'],
});

const logFailure =
  (operation: string) =>
  ({ error }: { error: Error | null }) =>
    log.error('The operation failed.', { api: 'socket', operation, error: errorFields(error) });

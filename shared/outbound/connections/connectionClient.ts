/** Sends to WebSocket connections through API Gateway, and closes them. */
import {
  ApiGatewayManagementApiClient,
  DeleteConnectionCommand,
  GoneException,
  PostToConnectionCommand,
} from '@aws-sdk/client-apigatewaymanagementapi';
import { environment } from '#shared/core/environment.ts';
import { errorFields, log } from '#shared/core/log.ts';
import { sdkLogger } from '#shared/core/sdkLogger.ts';

/** A connection that takes longer is closed. Its client reconnects and resumes. */
const SEND_MS = 3_000;

/** API Gateway's limit of a message, in bytes. */
export const FRAME_BYTES = 128 * 1024;

let shared: ApiGatewayManagementApiClient | undefined;

const client = () => {
  shared ??= new ApiGatewayManagementApiClient({
    endpoint: environment.socketEndpoint,
    // The queue's job is the retry. A second attempt here would delay the other connections.
    maxAttempts: 1,
    requestHandler: { connectionTimeout: SEND_MS, requestTimeout: SEND_MS, throwOnRequestTimeout: true },
    logger: sdkLogger,
  });
  return shared;
};

export type SendOutcome = 'sent' | 'gone' | 'failed';

/** @param text at most {@link FRAME_BYTES} @param abortSignal ends the attempt earlier than {@link SEND_MS} */
export async function sendFrame(connectionId: string, text: string, abortSignal?: AbortSignal): Promise<SendOutcome> {
  try {
    await client().send(new PostToConnectionCommand({ ConnectionId: connectionId, Data: text }), { abortSignal });
    return 'sent';
  } catch (error) {
    if (error instanceof GoneException) return 'gone';
    // The caller logs all of them as one.
    if (!abortSignal?.aborted)
      log.warn('A frame could not be sent to a connection.', { connectionId, error: errorFields(error) });
    return 'failed';
  }
}

/** Idempotent. A connection that cannot be closed now ends within two hours. */
export async function closeConnection(connectionId: string): Promise<void> {
  try {
    await client().send(new DeleteConnectionCommand({ ConnectionId: connectionId }));
  } catch (error) {
    if (error instanceof GoneException) return;
    log.warn('A connection could not be closed.', { connectionId, error: errorFields(error) });
  }
}

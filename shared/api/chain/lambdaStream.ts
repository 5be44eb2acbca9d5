import type { Writable } from 'node:stream';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { sendStream } from '#shared/api/sendStream.ts';
import type { LambdaHandler } from './chain.ts';

type StreamHandler = (event: APIGatewayProxyEvent, response: Writable, context: Context) => Promise<void>;

declare const awslambda: {
  streamifyResponse(handler: StreamHandler): StreamHandler;
  HttpResponseStream: {
    from(response: Writable, metadata: { statusCode: number; headers?: Record<string, unknown> | undefined }): Writable;
  };
};

/** @public used only by bundles: see `infra/bundle/bundle.ts` */
export const streamed = (operation: string, handle: LambdaHandler): StreamHandler =>
  awslambda.streamifyResponse(async (event, response, context) => {
    const { statusCode, headers, body, isBase64Encoded, stream } = await handle(event, context);
    const output = awslambda.HttpResponseStream.from(response, { statusCode, headers });
    if (stream) return sendStream(operation, stream, output);
    // Errors have a body instead of a stream.
    output.end(isBase64Encoded ? Buffer.from(body, 'base64') : body);
  });

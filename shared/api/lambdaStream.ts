/** The entry of a function whose answer API Gateway streams. Lambda gives it no way to answer otherwise. */
import type { Writable } from 'node:stream';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type { LambdaHandler } from './chain.ts';
import { sendStream } from './sendStream.ts';

type StreamHandler = (event: APIGatewayProxyEvent, response: Writable, context: Context) => Promise<void>;

/** A global of Lambda's Node runtime. */
declare const awslambda: {
  streamifyResponse(handler: StreamHandler): StreamHandler;
  HttpResponseStream: {
    /** The status and headers go out with the first write. */
    from(response: Writable, metadata: { statusCode: number; headers?: Record<string, unknown> | undefined }): Writable;
  };
};

/** @public only the bundles have it: see `infra/bundle.ts` */
export const streamed = (operation: string, handle: LambdaHandler): StreamHandler =>
  awslambda.streamifyResponse(async (event, response, context) => {
    const { statusCode, headers, body, isBase64Encoded, stream } = await handle(event, context);
    const to = awslambda.HttpResponseStream.from(response, { statusCode, headers });
    if (stream) return sendStream(operation, stream, to);
    // A refusal.
    to.end(isBase64Encoded ? Buffer.from(body, 'base64') : body);
  });

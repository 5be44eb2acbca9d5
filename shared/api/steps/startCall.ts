/** First in the chain: the state that the steps fill one by one, and that the operation sees as its `call`. */
import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Answer, Call, Operation } from '#shared/api/operation.ts';

/** Each step reads only what those before it in the chain have set. */
export interface CallState extends Call<Record<string, unknown>> {
  operation: string;
  requestId: string;
  /** Where the call comes from, as the gateway saw it. */
  sourceIp: string;
  /** In the place of a body in the request, where that was sent to the object store before. */
  uploadedBody?: Uint8Array | undefined;
  /** The JSON value of the body; undefined without one. */
  body: unknown;
  /** Whose data this is: where the answers to repeated calls and values too big for the table are kept. */
  tenant: string;
  /** Who calls, and where: what is given to one caller is of no use to another. */
  callerScope: readonly unknown[];
  /** Signs the `nextToken`s of this caller. */
  pageKey: string;
  /** What only the caller has, if anything: seals what is kept of an answer that shows a secret. */
  callerSecret?: string | undefined;
  /** For the log: the key that was used. */
  keyId?: string | undefined;
}

/** What a function answers the gateway; where the operation streams, `stream` stands in the place of the body. */
export type GatewayAnswer = APIGatewayProxyResult & { stream?: AsyncIterable<string> };

export type ParleyEvent<State extends CallState = CallState> = APIGatewayProxyEvent & { call: State };
export type Middleware<State extends CallState = CallState> = MiddlewareObj<
  ParleyEvent<State>,
  GatewayAnswer | Answer,
  Error,
  Context
>;

export const startCall = (operation: Operation): Middleware => ({
  before: ({ event, context }) => {
    const { requestId = context.awsRequestId, identity } = event.requestContext ?? {};
    const nowMs = Date.now();
    const start = {
      operation: operation.name,
      requestId,
      sourceIp: identity?.sourceIp ?? '',
      nowMs,
      deadlineMs: nowMs + context.getRemainingTimeInMillis(),
      lastEventId: operation.streams && header(event, 'last-event-id'),
    };
    event.call = start satisfies Partial<CallState> as CallState;
  },
});

/** A header's value, whatever its case: API Gateway hands names on as the client wrote them. */
export function header(event: Pick<APIGatewayProxyEvent, 'headers'>, name: string): string | undefined {
  const headers = event.headers ?? {};
  if (headers[name] !== undefined) return headers[name];
  for (const key in headers) if (key.toLowerCase() === name) return headers[key];
  return undefined;
}

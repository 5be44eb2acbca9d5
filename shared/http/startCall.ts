/** First in the chain: the state that the steps fill one by one, and that the operation sees as its `call`. */
import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Answer, Call, ConversationCall, Operation } from '../operation.ts';
import type { Participant } from '../table/participants.ts';

/** Each step reads only what those before it in the chain have set. */
export interface CallState extends ConversationCall<Record<string, unknown>> {
  operation: string;
  requestId: string;
  /** Where the call comes from, as the gateway saw it. */
  sourceIp: string;
  /** The JSON value of the body; undefined without one. */
  body: unknown;
  participant: Participant;
  read: unknown;
}

export type ParleyEvent = APIGatewayProxyEvent & { call: CallState };
export type Middleware = MiddlewareObj<ParleyEvent, APIGatewayProxyResult | Answer, Error, Context>;

export const startCall = (operation: Operation): Middleware => ({
  before: ({ event, context }) => {
    const { requestId = context.awsRequestId, identity } = event.requestContext ?? {};
    const start = { operation: operation.name, requestId, sourceIp: identity?.sourceIp ?? '', nowMs: Date.now() };
    event.call = start satisfies Partial<CallState & Call> as CallState;
  },
});

/** A header's value, whatever its case: API Gateway hands names on as the client wrote them. */
export function header(event: Pick<APIGatewayProxyEvent, 'headers'>, name: string): string | undefined {
  const headers = event.headers ?? {};
  if (headers[name] !== undefined) return headers[name];
  for (const key in headers) if (key.toLowerCase() === name) return headers[key];
  return undefined;
}

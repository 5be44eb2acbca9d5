/** From the operation's answer to the gateway's. */
import type { APIGatewayProxyResult } from 'aws-lambda';
import type { Operation } from '../operation.ts';
import type { Middleware } from './startCall.ts';

export const jsonAnswer = (
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): APIGatewayProxyResult => ({
  statusCode: status,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  body: JSON.stringify(body),
});

/** Parses the answer with the declared output, so that what is not declared stays inside. */
export const writeAnswer = (operation: Operation): Middleware => ({
  after: request => {
    const answer = request.response;
    if (!answer || !('status' in answer)) throw new Error(`${operation.name} gave no answer.`);
    request.response = jsonAnswer(answer.status, operation.output.parse(answer.body));
  },
});

import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { ABSENT_OPERATIONS } from '#shared/api/platform/absentOperations.ts';
import { corsHeaders } from '#shared/api/steps/allowOrigin.ts';
import { newErrorId } from '#shared/core/errors.ts';

/** API Gateway names path variables differently. */
const routeOf = (method: string, path: string) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`;

const BY_ROUTE = new Map(ABSENT_OPERATIONS.map(each => [routeOf(each.method, each.path), each]));

/**
 * Responds with 501 to every operation that Parley does not implement, one function for many routes. The contract has
 * no error type for this, and clients do not retry `MethodNotFound`.
 */
export const absentOperation = async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
  const absent = BY_ROUTE.get(routeOf(event.httpMethod, event.resource));
  const name = absent?.name ?? 'This operation';
  return {
    statusCode: 501,
    headers: { 'content-type': 'application/json', ...corsHeaders(event) },
    body: JSON.stringify({
      id: newErrorId(),
      code: 501,
      type: 'MethodNotFound',
      message: `${name} is not implemented in this self-hosted installation. ${absent?.reason ?? ''}`.trim(),
      metadata: { operation: name },
    }),
  };
};

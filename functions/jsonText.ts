import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { corsHeaders } from '#shared/api/steps/allowOrigin.ts';

/** A handler that returns a fixed JSON text, such as the OpenAPI reference. Not an operation of the contract. */
export const jsonText =
  (body: string) =>
  async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => ({
    statusCode: 200,
    headers: { 'content-type': 'application/json', ...corsHeaders(event) },
    body,
  });

import type { APIGatewayProxyResult } from 'aws-lambda';
import { jsonResponse } from '#shared/api/steps/writeResponse.ts';
import { environment } from '#shared/core/environment.ts';

/** Returns the handler of `GET /`, which lists the deployment's URLs. Not an operation of the contract. */
export const apiRoot = (version: string) => async (): Promise<APIGatewayProxyResult> => {
  const { apiBaseUrl, chatBaseUrl, consoleUrl } = environment;
  return jsonResponse(200, {
    name: 'Parley',
    version,
    health: `${apiBaseUrl}/v1/health`,
    docs: `${apiBaseUrl}/v1/docs`,
    openapi: `${apiBaseUrl}/v1/openapi.json`,
    chat: chatBaseUrl,
    ...(consoleUrl ? { console: consoleUrl } : {}),
  });
};

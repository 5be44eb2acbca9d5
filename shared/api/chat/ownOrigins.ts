import type { APIGatewayProxyEvent } from 'aws-lambda';
import { environment, VARIABLES } from '#shared/core/environment.ts';

/**
 * Returns the origins of the chat API itself, from the configuration and the API's id. The Host header names any domain
 * that resolves or is forwarded to the API, so it decides nothing.
 */
export function ownOrigins({ requestContext }: Pick<APIGatewayProxyEvent, 'requestContext'>): string[] {
  const configured = environment.chatOrigins?.split(',') ?? [];
  const { apiId } = requestContext ?? {};
  // Functions of the chat cannot know the URL of their API, because the API depends on them.
  if (!apiId) return configured;
  const { AWS_REGION: region, [VARIABLES.urlSuffix]: suffix } = process.env;
  return [...configured, `https://${apiId}.execute-api.${region}.${suffix}`];
}

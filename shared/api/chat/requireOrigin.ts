import type { APIGatewayProxyEvent } from 'aws-lambda';
import { header, type ParleyEvent } from '#shared/api/steps/startCall.ts';
import { environment, VARIABLES } from '#shared/core/environment.ts';
import { ApiError } from '#shared/core/errors.ts';
import type { Webhook } from '#shared/storage/dynamodb/chat/webhooks.ts';
import type { ChatMiddleware, ChatState } from './chatState.ts';

export const requireOrigin = (): ChatMiddleware => ({
  before: ({ event }) => {
    event.call.origin = originOf(event);
    checkOrigin(event.call);
  },
});

/**
 * Returns the origin of the page that calls. Only browsers send it. The reference page of the API itself may always
 * call it, so its origin is undefined, too.
 */
function originOf(event: ParleyEvent<ChatState>): string | undefined {
  const origin = header(event, 'origin');
  return origin && !ownOrigins(event).includes(origin) ? origin : undefined;
}

/** @throws ApiError Forbidden */
export function checkOrigin({
  origin,
  webhook: { allowedOrigins },
}: {
  origin?: string | undefined;
  webhook: Pick<Webhook, 'allowedOrigins'>;
}): void {
  if (!allowedOrigins || origin === undefined || allowedOrigins.includes(origin)) return;
  throw new ApiError(
    'Forbidden',
    `Pages of ${origin.slice(0, 200)} may not use this chat. Add the origin to allowedOrigins in the configuration of the installation.`,
  );
}

/**
 * Returns the origins of the chat API itself, from the configuration and the API's id. Ignores the Host header, which
 * may name any domain that resolves or is forwarded to the API.
 */
export function ownOrigins({ requestContext }: Pick<APIGatewayProxyEvent, 'requestContext'>): string[] {
  const configured = environment.chatOrigins?.split(',') ?? [];
  const { apiId } = requestContext ?? {};
  // Functions of the chat cannot know the URL of their API, because the API depends on them.
  if (!apiId) return configured;
  const { AWS_REGION: region, [VARIABLES.urlSuffix]: suffix } = process.env;
  return [...configured, `https://${apiId}.execute-api.${region}.${suffix}`];
}

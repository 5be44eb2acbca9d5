import { header, type ParleyEvent } from '#shared/api/steps/startCall.ts';
import { ApiError } from '#shared/core/errors.ts';
import type { Webhook } from '#shared/storage/dynamodb/chat/webhooks.ts';
import type { ChatMiddleware, ChatState } from './chatState.ts';
import { ownOrigins } from './ownOrigins.ts';

export const requireOrigin = (): ChatMiddleware => ({
  before: ({ event }) => checkOrigin(event, event.call.webhook),
});

/**
 * Only browsers send the header. The reference page of the API itself may always call it.
 * @throws ApiError Forbidden
 */
export function checkOrigin(event: ParleyEvent<ChatState>, { allowedOrigins }: Pick<Webhook, 'allowedOrigins'>): void {
  const origin = header(event, 'origin');
  if (!allowedOrigins || !origin || allowedOrigins.includes(origin)) return;
  if (ownOrigins(event).includes(origin)) return;
  throw new ApiError(
    'Forbidden',
    `Pages of ${origin.slice(0, 200)} may not use this chat. Add the origin to allowedOrigins in the configuration of the installation.`,
  );
}

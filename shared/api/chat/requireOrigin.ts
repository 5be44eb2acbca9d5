import { header, type ParleyEvent } from '#shared/api/steps/startCall.ts';
import { ApiError } from '#shared/core/errors.ts';
import type { ChatMiddleware, ChatState } from './chatState.ts';
import { ownOrigins } from './ownOrigins.ts';

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
function checkOrigin({ origin, webhook: { allowedOrigins } }: Pick<ChatState, 'origin' | 'webhook'>): void {
  if (!allowedOrigins || origin === undefined || allowedOrigins.includes(origin)) return;
  throw new ApiError(
    'Forbidden',
    `Pages of ${origin.slice(0, 200)} may not use this chat. Add the origin to allowedOrigins in the configuration of the installation.`,
  );
}

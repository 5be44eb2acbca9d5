import { header } from '#shared/api/steps/startCall.ts';
import { ApiError } from '#shared/core/errors.ts';
import { ownOrigins } from './ownOrigins.ts';
import type { ChatMiddleware } from './state.ts';

/** Only browsers send the header. The reference page of the API itself may always call it. */
export const requireOrigin = (): ChatMiddleware => ({
  before: ({ event }) => {
    const { allowedOrigins } = event.call.webhook;
    const origin = header(event, 'origin');
    if (!allowedOrigins || !origin || allowedOrigins.includes(origin)) return;
    if (ownOrigins(event).includes(origin)) return;
    throw new ApiError(
      'Forbidden',
      `Pages of ${origin.slice(0, 200)} may not use this chat. Add the origin to allowedOrigins in the configuration of the installation.`,
    );
  },
});

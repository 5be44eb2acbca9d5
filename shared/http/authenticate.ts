/** Who calls: the end user named by the header `x-user-key`. */
import { verifyUserKey } from '../auth/userKey.ts';
import type { Operation } from '../operation.ts';
import { header, type Middleware } from './startCall.ts';

export const authenticate = (operation: Operation): Middleware => ({
  before: ({ event }) => {
    if (operation.access.who === 'anyone') return;
    event.call.caller = verifyUserKey(event.call.webhook, header(event, 'x-user-key'));
  },
});

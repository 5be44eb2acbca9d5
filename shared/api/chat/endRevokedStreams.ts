/**
 * Ends open streams when the caller could no longer open one: the key expired or was invalidated, the installation was
 * disabled or removed, or the page's origin is no longer permitted (docs/api/chat.md#listening). The listener itself
 * ends with the participation.
 */

import type { ChatOperation } from '#shared/api/operations/chat.ts';
import type { ParleyEvent } from '#shared/api/steps/startCall.ts';
import { whenStreamEnds } from '#shared/api/whenStreamEnds.ts';
import { clock, type Timer } from '#shared/core/clock.ts';
import { ApiError } from '#shared/core/errors.ts';
import { errorFields, log } from '#shared/core/log.ts';
import type { ChatMiddleware, ChatState } from './chatState.ts';
import { checkOrigin } from './requireOrigin.ts';
import { verifyUserKey } from './userKey.ts';
import { webhookOf } from './webhookOf.ts';

/** With the installation's cache, a revocation takes effect within the documented 60 s. */
const CHECK_MS = 30_000;

export const endRevokedStreams = (operation: ChatOperation): ChatMiddleware => ({
  after: ({ event, response }) => {
    if (!operation.streams || !response || !('status' in response)) return;
    response.body = untilRevoked(response.body as AsyncIterable<string>, event);
  },
});

function untilRevoked(frames: AsyncIterable<string>, event: ParleyEvent<ChatState>): AsyncIterable<string> {
  const expiresAtMs = event.call.caller?.expiresAtMs ?? Number.POSITIVE_INFINITY;
  return {
    [Symbol.asyncIterator]: () => {
      let hasEnded = false;
      let timer: Timer;
      const texts = whenStreamEnds(frames, () => {
        hasEnded = true;
        timer.stop();
      })[Symbol.asyncIterator]();
      const watch = () => {
        timer = clock.after(Math.min(CHECK_MS, expiresAtMs - clock.now()), check).unref();
      };
      const check = async () => {
        const isPermitted = await mayStillListen(event);
        if (hasEnded) return;
        if (isPermitted) return watch();
        log.info('A stream ended because its caller may no longer open it.');
        await texts.return?.();
      };
      watch();
      return texts;
    },
  };
}

async function mayStillListen(event: ParleyEvent<ChatState>): Promise<boolean> {
  const { webhook, caller } = event.call;
  try {
    const current = await webhookOf(webhook.webhookId);
    // A new encryption key also revokes the users that this call created, because it invalidates their issued keys.
    if (current.encryptionKey !== webhook.encryptionKey) return false;
    checkOrigin(event, current);
    if (caller) verifyUserKey(current, caller.key);
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    log.warn('The right to a stream could not be checked.', { error: errorFields(error) });
    return true;
  }
}

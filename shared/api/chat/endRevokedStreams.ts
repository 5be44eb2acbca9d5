/**
 * Ends open streams when the caller could no longer open one: the key expired or was invalidated, the installation was
 * disabled or removed, or the page's origin is no longer permitted (docs/api/chat.md#listening). The listener itself
 * ends with the participation.
 */

import type { ChatOperation } from '#shared/api/operations/chat.ts';
import type { ParleyEvent } from '#shared/api/steps/startCall.ts';
import { whenStreamEnds } from '#shared/api/whenStreamEnds.ts';
import { clock, type Timer } from '#shared/core/clock.ts';
import { errorFields, log } from '#shared/core/log.ts';
import { findWebhook } from '#shared/storage/dynamodb/chat/webhooks.ts';
import type { ChatMiddleware, ChatState } from './chatState.ts';
import { type ListenerRights, mayListen, rightsOf } from './listenerRights.ts';

/** Each check reads the installation, at one read unit. */
const CHECK_MS = 5_000;

export const endRevokedStreams = (operation: ChatOperation): ChatMiddleware => ({
  after: ({ event, response }) => {
    if (!operation.streams || !response || !('status' in response)) return;
    response.body = untilRevoked(response.body as AsyncIterable<string>, event);
  },
});

function untilRevoked(frames: AsyncIterable<string>, event: ParleyEvent<ChatState>): AsyncIterable<string> {
  const { webhookId } = event.call.webhook;
  const rights = rightsOf(event.call);
  const { expiresAtMs = Number.POSITIVE_INFINITY } = rights;
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
        const isPermitted = await mayStillListen(webhookId, rights);
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

async function mayStillListen(webhookId: string, rights: ListenerRights): Promise<boolean> {
  try {
    return mayListen(await findWebhook(webhookId, { isCurrent: true }), rights, clock.now());
  } catch (error) {
    log.warn('The right to a stream could not be checked.', { error: errorFields(error) });
    return true;
  }
}

/** Limits open streams. Each occupies a function for up to 14 minutes (docs/api/conventions.md#open-work). */

import { endLeases, holdingLeases, openStream } from '#shared/api/openWorkLeases.ts';
import type { Subject } from '#shared/api/openWorkLimits.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import { networkOf } from '#shared/api/rateLimit.ts';
import type { CallState, Middleware } from '#shared/api/steps/startCall.ts';
import type { ChatState } from './chatState.ts';

export const limitStreams = (operation: Operation): Middleware => ({
  before: async ({ event: { call } }) => {
    if (operation.streams) call.leases = await openStream(subjectsOf(operation, call), call);
  },
  after: ({ event: { call }, response }) => {
    if (!call.leases || !response || !('status' in response)) return;
    response.body = holdingLeases(response.body as AsyncIterable<string>, call.leases);
  },
  onError: ({ event: { call } }) => endLeases(call.leases ?? []),
});

/** Includes the conversation only after authorisation, because strangers could exhaust its limit. */
function subjectsOf(operation: Operation, call: CallState): Subject[] {
  if (operation.api !== 'chat') return [['botGenerations', call.tenant]];
  const { sourceIp, botId, caller, webhook, conversationId } = call as ChatState;
  return [
    ['addressStreams', networkOf(sourceIp)],
    ['botStreams', botId],
    ...(caller ? [['userStreams', `${webhook.webhookId} ${caller.userId}`] as const] : []),
    ...(conversationId ? [['conversationStreams', `${botId} ${conversationId}`] as const] : []),
  ];
}

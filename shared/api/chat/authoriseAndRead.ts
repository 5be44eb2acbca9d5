import type { ChatOperation } from '#shared/api/operations/chat.ts';
import { notFound } from '#shared/core/errors.ts';
import { resolveConversationId } from '#shared/core/ids.ts';
import { checkRole, participationOf } from './authorise.ts';
import type { ChatMiddleware } from './chatState.ts';

export const authoriseAndRead = (operation: ChatOperation): ChatMiddleware => ({
  before: async ({ event: { call } }) => {
    const { access } = operation;
    if (!('of' in access)) {
      call.read = await operation.read?.(call);
      return;
    }

    const shownId = access.of(call.input);
    const conversationId = shownId && resolveConversationId(call.webhook.webhookId, shownId);
    if (!shownId || !conversationId) throw notFound(shownId ? `The conversation ${shownId}` : 'The resource');
    call.conversationId = conversationId;
    call.participation = participationOf(call.webhook, call.caller, conversationId, shownId);

    // A missing permission takes precedence over the result of the read. Both promises are awaited below. The handlers
    // prevent unhandled rejections until then.
    call.participation.catch(() => {});
    const reading: Promise<unknown> | undefined = operation.read?.(call);
    reading?.catch(() => {});
    call.participant = await call.participation;
    call.read = await reading;
    checkRole(access, call);
  },
});

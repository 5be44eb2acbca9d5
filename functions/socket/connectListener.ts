import * as z from 'zod/mini';
import { rightsOf } from '#shared/api/chat/listenerRights.ts';
import { ok } from '#shared/api/operation.ts';
import { chatOperation } from '#shared/api/operations/chat.ts';
import { SUBPROTOCOL } from '#shared/api/socket/subprotocol.ts';
import { openConnection } from '#shared/domain/connections/openConnection.ts';

export const connectListener = chatOperation({
  name: 'connectListener',
  summary: 'Opens a WebSocket that receives the signals of a conversation.',
  method: 'GET',
  path: '/conversations/{id}/listen',
  access: { who: 'participant', of: input => input.id },
  table: 'writes',
  partitions: { writes: ['connections', 'connectionSubjects'] },
  sends: ['connections'],
  output: z.object({}),
  statuses: [200],

  handle: async call => {
    const { botId, participant, connectionId, subprotocol, nowMs } = call;
    const { expiresAtMs, ...rights } = rightsOf(call);
    const { conversationId, userId, foreignConversationId, foreignUserId, isOwner, webhookId } = participant;
    const { generation, userGeneration, joinedAtMs, conversationCreatedAtMs } = participant;
    const isResumable = subprotocol === SUBPROTOCOL;
    await openConnection(
      {
        ...{ kind: 'listener', connectionId: connectionId!, botId, connectedAtMs: nowMs, expiresAtMs },
        ...{ conversationId, userId, foreignConversationId, foreignUserId, isOwner, webhookId },
        ...{ generation, userGeneration, joinedAtMs, conversationCreatedAtMs },
        ...{ rights, isResumable, awaitsResume: isResumable || undefined },
      },
      nowMs,
    );
    return ok({});
  },
});

import { Frames, ok } from '#shared/api/operation.ts';
import { chatOperation } from '#shared/api/operations/chat.ts';
import { Cursor } from '#shared/domain/chat/listenCursor.ts';
import { listen } from '#shared/domain/chat/listening/listen.ts';
import { ListenerSignal } from '#shared/domain/chat/listening/listenerSignal.ts';

export const listenConversation = chatOperation({
  name: 'listenConversation',
  summary:
    'Streams the signals of a conversation as server-sent events. Disconnected clients resume with Last-Event-ID.',
  method: 'GET',
  path: '/conversations/{id}/listen',
  access: { who: 'participant', of: input => input.id },
  table: 'reads',
  largeValues: 'reads',
  streams: ListenerSignal,
  output: Frames,
  statuses: [200],

  handle: async ({ botId, participant, lastEventId, nowMs, deadlineMs }) =>
    ok(
      listen({
        botId,
        participant,
        cursor: lastEventId ? Cursor.parse(lastEventId, nowMs) : Cursor.start(nowMs),
        deadlineMs,
      }),
    ),
});

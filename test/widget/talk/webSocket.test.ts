/** Tests what only WebSockets need: idle time, sleep, repeated frames, large signals. */
import { describe, expect, it, vi } from 'vitest';
import { listen, positions, say, sayAnd, server, until, useScriptedServer } from './listening.ts';
import { positionOf } from './scriptedServer.ts';

useScriptedServer();

describe('a WebSocket', () => {
  it('is kept open while it is idle', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
    try {
      let received: string[] | undefined;
      server.answers = [
        connected => {
          received = connected.received;
        },
      ];
      const { connections } = listen('webSocket');
      await until(() => expect(connections.at(-1)).toBe('live'));

      for (let minute = 0; minute < 18; minute++) vi.advanceTimersByTime(60_000);

      await until(() => expect(received).toEqual(Array(2).fill('{"action":"keepAlive"}')));
    } finally {
      vi.useRealTimers();
    }
  });

  it('is replaced after the machine slept', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
    try {
      server.answers = [say()];
      const { connections } = listen('webSocket');
      await until(() => expect(connections.at(-1)).toBe('live'));

      vi.setSystemTime(Date.now() + 3_600_000);
      vi.advanceTimersByTime(60_000);

      await until(() => expect(connections).toEqual(['connecting', 'live', 'connecting', 'live']));
    } finally {
      vi.useRealTimers();
    }
  });

  it('is replaced when the network returns', async () => {
    server.answers = [say(1), say(2)];
    const { heard, connections, listener } = listen('webSocket');
    await until(() => expect([heard, connections.at(-1)]).toEqual([[1], 'live']));

    listener.wake();

    await until(() => expect(heard).toEqual([1, 2]));
  });

  it('drops repeated frames, and resumes before frames that arrive out of order', async () => {
    let live = 0;
    server.answers = [sayAnd('cut', () => live > 0, 5, 9, 7, 9), say(5, 6, 7, 9)];
    const { heard } = listen('webSocket', { onOpen: async () => void live++ });

    await until(() => expect(heard).toEqual([5, 9, 7, 6]));
    expect(positions()).toEqual([undefined, positionOf(5)]);
  });

  it('fetches signals that exceed a frame, in order', async () => {
    const message = { id: 'msg_1', userId: 'bot', payload: { type: 'text', text: 'Long' } };
    server.bodies = {
      '/messages/msg_1': { message },
      '/events/evt_1': { event: { id: 'evt_1', userId: 'bot', payload: { type: 'custom' } } },
      '/conversations/c/participants': { participants: [{ id: 'me' }] },
    };
    server.answers = [
      connected => {
        for (const [number, signal, id] of [
          [1, 'message_created', 'msg_1'],
          [2, 'message_created', 'msg_deleted'],
          [3, 'event_created', 'evt_1'],
        ] as const) {
          connected.send({ id: positionOf(number), type: 'large_signal', data: { signal, id } });
        }
        connected.say(4);
      },
    ];
    const { signals } = listen('webSocket');

    await until(() =>
      expect(signals).toMatchObject([
        { type: 'message_created', data: message },
        { type: 'event_created', data: { id: 'evt_1', isBot: true } },
        { type: 'message_deleted', data: { id: '4' } },
      ]),
    );
    expect(signals).toHaveLength(3);
  });
});

/** Tests that listening survives failures of both transports. */
import { describe, expect, it, vi } from 'vitest';
import { listen, positions, say, sayAnd, server, until, useScriptedServer } from './listening.ts';
import { type Connected, positionOf } from './scriptedServer.ts';

useScriptedServer();

describe.each(['webSocket', 'eventStream'] as const)('listening over a %s', over => {
  const isWebSocket = over === 'webSocket';

  it.each(['cut', 'end'] as const)('continues after the last frame when the connection is ended by: %s', async end => {
    let live = 0;
    const isLive = (times: number) => () => live >= times;
    server.answers = [sayAnd(end, isLive(1), 1, 2), sayAnd(end, isLive(2)), say(3)];
    const { heard, connections, opened } = listen(over, { onOpen: async () => void live++ });

    await until(() => expect(heard).toEqual([1, 2, 3]));
    await until(() => expect(connections.filter(each => each === 'live')).toHaveLength(3));
    expect(opened).toEqual([false, true, true]);
    // A WebSocket resumes before the lowest recent frame, because frames may arrive out of order.
    expect(positions()).toEqual([undefined, ...(isWebSocket ? [1, 1] : [2, 0]).map(positionOf)]);
  });

  it('reports a lost connection after a failure, but not after the regular end of a connection', async () => {
    let live = 0;
    const isLive = (times: number) => () => live >= times;
    server.answers = [sayAnd('end', isLive(1), 1), sayAnd('cut', isLive(2)), say()];
    const { connections } = listen(over, { onOpen: async () => void live++ });

    await until(() => expect(connections.filter(each => each === 'live')).toHaveLength(3));
    expect(connections).toEqual(['connecting', 'live', 'connecting', 'live', 'lost', 'live']);
  });

  it('does not resume after a failed initial read', async () => {
    server.answers = [say(1), say(2)];
    let isDown = true;
    const { connections } = listen(over, {
      onOpen: async () => {
        if (!isDown) return;
        isDown = false;
        throw new Error('The messages could not be read.');
      },
    });

    await until(() => expect(connections.at(-1)).toBe('live'));
    expect(positions()).toEqual([undefined, undefined]);
  });

  it('stops, and resumes at the same position', async () => {
    server.answers = [say(1), say(2)];
    const { heard, connections, listener } = listen(over);
    await until(() => expect([heard, connections.at(-1)]).toEqual([[1], 'live']));

    listener.stop();
    listener.start();

    await until(() => expect(heard).toEqual([1, 2]));
    expect(positions()).toEqual([undefined, positionOf(1)]);
  });

  it('ends a pause on wake', async () => {
    server.answers = [connected => connected.cut(), say(1)];
    const { heard, connections, listener } = listen(over, { pauses: { firstMs: 60_000, longestMs: 60_000 } });
    await until(() => expect(connections).toContain('lost'));

    await until(() => {
      if (server.asked.length < 2) listener.wake();
      expect(heard).toEqual([1]);
    });
  });

  it('replaces a connection that is silent', async () => {
    const [first, second] = isWebSocket ? [say(1), (connected: Connected) => connected.say(2)] : [say(1), say(2)];
    server.answers = [first, second, say(3)];
    const { heard, listener, connections } = listen(over, { pauses: { silenceMs: 200 } });
    await until(() => expect(connections).toContain('live'));
    // A WebSocket without a position is live when it opens, so the second one is not ready.
    if (isWebSocket) listener.wake();

    await until(() => expect(heard).toEqual(expect.arrayContaining([1, 2, 3])));
    expect(server.asked[1]!.position).toBe(positionOf(1));
  });
});

describe('an event stream', () => {
  it("retries after the server's Retry-After during overload", async () => {
    server.answers = [{ status: 429, headers: { 'retry-after': '1' } }, { status: 503 }, say(1)];
    const pauses = vi.spyOn(globalThis, 'setTimeout');
    const { heard, refusals } = listen('eventStream');

    await until(() => expect(heard).toEqual([1]));
    expect(pauses.mock.calls.map(([, ms]) => ms)).toContain(1_000);
    pauses.mockRestore();
    expect(refusals).toEqual([]);
  });
});

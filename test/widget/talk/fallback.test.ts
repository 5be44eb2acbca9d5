/** Tests the fallback from WebSockets to an event stream, and the return. */
import { describe, expect, it } from 'vitest';
import { Memory } from '#widget/talk/memory.ts';
import { listen, positions, say, sayAnd, server, until, useScriptedServer } from './listening.ts';
import { positionOf } from './scriptedServer.ts';

useScriptedServer();

describe('the fallback', () => {
  it.each([401, 403, 404])('does not retry after a %s, which WebSockets hide', async status => {
    server.answers = [{ status }];
    const { refusals } = listen('either');

    await until(() => expect(refusals).toMatchObject([{ status, message: 'Why' }]));
    // Node repeats a handshake that returned 401.
    expect(server.asked.filter(({ over }) => over === 'eventStream')).toHaveLength(1);
  });

  it('starts over when the position is rejected', async () => {
    let live = 0;
    server.answers = [sayAnd('cut', () => live > 0, 1), { status: 400 }, { status: 400 }, say(2)];
    const { heard, opened } = listen('either', { onOpen: async () => void live++ });

    await until(() => expect(opened).toEqual([false, false]));
    expect(positions()).toEqual([undefined, positionOf(1), expect.stringContaining(''), undefined]);
    await until(() => expect(heard).toEqual([1, 2]));
  });

  it('tries no WebSocket while one is blocked, also after a reload', async () => {
    server.refusesUpgrades = true;
    server.answers = [say(1)];
    const memory = new Memory('', undefined);
    const first = listen('either', { memory });
    await until(() => expect(first.heard).toEqual([1]));
    first.listener.stop();

    server.refusesUpgrades = false;
    const second = listen('either', { memory });

    await until(() => expect(second.heard).toEqual([1]));
    expect(server.asked.map(({ over }) => over)).toEqual(['eventStream', 'eventStream']);
  });

  it('returns to a WebSocket at the same position', async () => {
    server.refusesUpgrades = true;
    server.answers = [say(1), say(2)];
    const memory = new Memory('', undefined);
    const { heard } = listen('either', {
      memory,
      pauses: { blockedMs: 20 },
      onOpen: async () => {
        server.refusesUpgrades = false;
      },
    });

    await until(() => expect(heard).toEqual([1, 2]));
    expect(server.asked.at(-1)).toEqual({ over: 'webSocket', position: positionOf(1) });
    expect(memory.read().socketsBlockedUntilMs).toBeUndefined();
  });

  it('follows a handshake that hangs', async () => {
    server.answers = ['hangs', say(1)];

    const { heard } = listen('either', { pauses: { handshakeMs: 50 } });

    await until(() => expect(heard).toEqual([1]));
    expect(server.asked.map(({ over }) => over)).toEqual(['webSocket', 'eventStream']);
  });
});

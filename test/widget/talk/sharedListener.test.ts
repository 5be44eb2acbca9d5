/** Tests that tabs of a browser share a connection, also when the leading tab closes or freezes. */
import { describe, expect, it, vi } from 'vitest';
import { listen, say, server, until, useScriptedServer } from './listening.ts';
import { type Connected, positionOf } from './scriptedServer.ts';

useScriptedServer();

describe('tabs of one browser', () => {
  it('share one connection, of which each drops repeated frames', async () => {
    let connection: Connected | undefined;
    server.answers = [
      connected => {
        connection = connected;
      },
    ];
    const tabs = [listen('webSocket'), listen('webSocket'), listen('webSocket')];
    await until(() => expect(tabs.map(({ connections }) => connections.at(-1))).toEqual(['live', 'live', 'live']));

    connection!.say(1, 2, 1);

    for (const { heard, opened } of tabs) {
      await until(() => expect(heard).toEqual([1, 2]));
      expect(opened).toEqual([false]);
    }
    expect(server.asked).toHaveLength(1);
  });

  it('resume at the own last frame of the tab that leads next', async () => {
    server.answers = [say(1), say(1, 2)];
    const [first, second] = [listen('webSocket'), listen('webSocket')];
    await until(() => expect([first.heard, second.connections.at(-1)]).toEqual([[1], 'live']));

    first.listener.stop();

    await until(() => expect(server.asked).toHaveLength(2));
    await until(() => expect([second.heard.at(-1), second.connections.at(-1)]).toEqual([2, 'live']));
  });

  it('give a tab that was paused the frames that it missed', async () => {
    let connection: Connected | undefined;
    server.answers = [
      connected => {
        connection = connected;
      },
    ];
    const [first, second] = [listen('webSocket'), listen('webSocket')];
    await until(() => expect([first, second].map(tab => tab.connections.at(-1))).toEqual(['live', 'live']));
    connection!.say(1);
    await until(() => expect(second.heard).toEqual([1]));
    second.listener.stop();
    connection!.say(2, 3);
    await until(() => expect(first.heard).toEqual([1, 2, 3]));

    second.listener.start();

    await until(() => expect(second.heard).toEqual([1, 2, 3]));
    await until(() => expect([second.opened, second.connections.at(-1)]).toEqual([[false, true], 'live']));
    expect(server.asked).toHaveLength(1);
  });

  it('replace a leading tab that is frozen', async () => {
    server.answers = [say(1)];
    let isStolen = false;
    const frozen = navigator.locks
      .request(server.url, () => new Promise(() => {}))
      .catch(() => {
        isStolen = true;
      });

    const { heard } = listen('webSocket', { pauses: { checkMs: 10 } });

    await until(() => expect(heard).toEqual([1]));
    await frozen;
    expect(isStolen).toBe(true);
  });

  it('follow the tab that replaced them while they were frozen', async () => {
    server.answers = [say(1), say(1, 2)];
    const thawed = listen('webSocket');
    await until(() => expect(thawed.connections.at(-1)).toBe('live'));

    let release = () => {};
    await new Promise<void>(taken => {
      void navigator.locks.request(server.url, { steal: true }, () => {
        taken();
        return new Promise<void>(resolve => {
          release = resolve;
        });
      });
    });
    await until(() => expect(thawed.connections.at(-1)).toBe('connecting'));
    release();

    await until(() => expect([thawed.heard, thawed.connections.at(-1)]).toEqual([[1, 2], 'live']));
  });

  it('replace a connection that does not receive the message of a tab', async () => {
    server.answers = [say(), say(1), say(2)];
    const [first, second] = [
      listen('webSocket', { pauses: { silenceMs: 100 } }),
      listen('webSocket', { pauses: { silenceMs: 100 } }),
    ];
    await until(() => expect([first, second].map(tab => tab.connections.at(-1))).toEqual(['live', 'live']));

    second.listener.expect(`msg_${positionOf(1)}`);
    await until(() => expect(second.heard).toEqual([1]));
    first.listener.expect(`msg_${positionOf(2)}`);

    for (const { heard } of [first, second]) await until(() => expect(heard).toEqual([1, 2]));
    first.listener.expect(`msg_${positionOf(2)}`);
    expect(server.asked).toHaveLength(3);
  });

  it('have connections of their own without channels or locks', async () => {
    for (const name of ['BroadcastChannel', 'navigator']) {
      vi.stubGlobal(name, name === 'navigator' ? {} : undefined);
      server.answers = [say(1)];
      server.asked = [];

      const tabs = [listen('webSocket'), listen('webSocket')];

      for (const { heard } of tabs) await until(() => expect(heard).toEqual([1]));
      vi.unstubAllGlobals();
      expect(server.asked).toHaveLength(2);
      for (const { listener } of tabs) listener.stop();
    }
  });
});

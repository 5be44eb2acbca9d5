import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Closing, ClosingHold } from '#console/src/pages/inbox/closingHold.ts';

const HOLD_MS = 5_000;

function newStorage() {
  const values = new Map<string, string>();
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
}

const closing = (conversationId: string): Closing => ({
  key: `key of ${conversationId}`,
  workspaceId: 'w',
  botId: 'b',
  conversationId,
  handoffId: `handoff of ${conversationId}`,
  outcome: 'resolved',
});

describe('the held closing of a conversation', () => {
  const sent: string[] = [];
  const newHold = (storage = newStorage(), confirm: () => Promise<void> = async () => undefined) =>
    new ClosingHold(
      storage,
      each => {
        sent.push(each.key);
        return confirm();
      },
      HOLD_MS,
    );
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    sent.length = 0;
  });

  it('is sent after the hold', async () => {
    const hold = newHold();

    hold.hold(closing('ada'));
    await vi.advanceTimersByTimeAsync(HOLD_MS - 1);
    const before = [...sent];
    await vi.advanceTimersByTimeAsync(1);

    expect(before).toEqual([]);
    expect(sent).toEqual(['key of ada']);
    expect(hold.outcomeOf('ada')).toBeUndefined();
  });

  it('is not sent after Undo', async () => {
    const hold = newHold();

    hold.hold(closing('ada'));
    hold.cancel('ada');
    await vi.advanceTimersByTimeAsync(HOLD_MS);

    expect(sent).toEqual([]);
    expect(hold.outcomeOf('ada')).toBeUndefined();
  });

  it('of several conversations is sent at once, without the one that was cancelled', async () => {
    const storage = newStorage();
    const hold = newHold(storage, () => new Promise<void>(() => undefined));

    hold.hold(closing('ada'), closing('bob'), closing('grace'));
    hold.cancel('bob');
    await vi.advanceTimersByTimeAsync(HOLD_MS);

    expect(sent).toEqual(['key of ada', 'key of grace']);
    expect(['ada', 'bob', 'grace'].map(id => hold.outcomeOf(id))).toEqual(['resolved', undefined, 'resolved']);
    void newHold(storage).resume();
    expect(sent).toEqual(['key of ada', 'key of grace', 'key of ada', 'key of grace']);
  });

  it('is not cancelled by an action in another conversation', () => {
    const hold = newHold();

    hold.hold(closing('ada'));
    hold.cancel('grace');

    expect(hold.outcomeOf('ada')).toBe('resolved');
  });

  it('is sent when another conversation is closed', () => {
    const hold = newHold();

    hold.hold(closing('ada'));
    hold.hold(closing('grace'));

    expect(sent).toEqual(['key of ada']);
    expect(hold.outcomeOf('grace')).toBe('resolved');
  });

  it('is sent once when the page is hidden and then closed', async () => {
    const hold = newHold();

    hold.hold(closing('ada'));
    await Promise.all([hold.flush(), hold.flush()]);
    await vi.advanceTimersByTimeAsync(HOLD_MS);

    expect(sent).toEqual(['key of ada']);
  });

  it('is sent again with its key by the next page, unless it was confirmed', async () => {
    const storage = newStorage();
    const hold = newHold(storage, () => new Promise(() => undefined));

    hold.hold(closing('ada'));
    void hold.flush();
    await newHold(storage).resume();
    await newHold(storage).resume();

    expect(sent).toEqual(['key of ada', 'key of ada']);
  });
});

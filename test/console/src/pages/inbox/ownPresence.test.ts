import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { enter, OwnPresence, showSent, showWriting } from '#console/src/pages/inbox/ownPresence.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function setUp() {
  const sent: string[] = [];
  let isVisible = true;
  const presence = new OwnPresence(
    state => sent.push(state),
    () => isVisible,
  );
  return {
    presence,
    sent,
    hide: () => {
      isVisible = false;
    },
    show: () => {
      isVisible = true;
      presence.look();
    },
  };
}

describe('the own presence in a conversation', () => {
  it('is not shown by members who pass the conversation', () => {
    const { presence, sent } = setUp();
    vi.advanceTimersByTime(500);

    presence.leave();
    vi.advanceTimersByTime(60_000);

    expect(sent).toEqual([]);
  });

  it('is renewed every 45 seconds, and ends', () => {
    const { presence, sent } = setUp();
    vi.advanceTimersByTime(1_000 + 45_000);

    presence.leave();
    vi.advanceTimersByTime(60_000);

    expect(sent).toEqual(['viewing', 'viewing', 'left']);
  });

  it('is not renewed while the page is hidden, and immediately when it is shown again', () => {
    const { sent, hide, show } = setUp();
    vi.advanceTimersByTime(1_000);
    hide();
    vi.advanceTimersByTime(300_000);
    const hidden = [...sent];

    show();

    expect([hidden, sent]).toEqual([['viewing'], ['viewing', 'viewing']]);
  });

  it('shows writing, repeats it every 15 seconds, and ends it after a pause', () => {
    const { presence, sent } = setUp();
    vi.advanceTimersByTime(1_000);
    for (let second = 0; second < 20; second++) {
      presence.write('writingReply');
      vi.advanceTimersByTime(1_000);
    }

    vi.advanceTimersByTime(20_000);

    expect(sent).toEqual(['viewing', 'writingReply', 'writingReply', 'viewing']);
  });

  it('follows the composer of its conversation until the text is sent', () => {
    const { presence, sent } = setUp();
    vi.advanceTimersByTime(1_000);
    const end = enter('a', presence);

    showWriting('other', { text: 'Hi', isNote: false });
    showWriting('a', { text: 'Hi', isNote: true });
    showSent('a');
    showWriting('a', { text: '', isNote: false });
    end();
    showWriting('a', { text: 'Hi', isNote: false });

    expect(sent).toEqual(['viewing', 'writingNote', 'viewing', 'left']);
  });
});

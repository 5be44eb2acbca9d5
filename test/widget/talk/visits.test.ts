/** Tests when the widget reports the pages of its visitor. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ChatApi, ChatFault } from '#widget/talk/chatApi.ts';
import type { Visit } from '#widget/talk/chatContract.ts';
import { Visits } from '#widget/talk/visits.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', { visibilityState: 'visible' });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function setUp() {
  let page: Visit | undefined = { url: 'https://shop.example/' };
  let navigate = () => {};
  let isFollowed = false;
  const setVisit = vi.fn<ChatApi['setVisit']>(async () => ({}));
  const visits = new Visits({ setVisit } as Partial<ChatApi> as ChatApi, {
    read: () => page,
    follow: onChange => {
      isFollowed = true;
      navigate = onChange;
      return () => {
        isFollowed = false;
      };
    },
  });
  return {
    visits,
    setVisit,
    isFollowed: () => isFollowed,
    goTo: (path: string | undefined) => {
      page = path === undefined ? undefined : { url: `https://shop.example${path}` };
      navigate();
    },
    urls: () => setVisit.mock.calls.map(([, { url }]) => url.replace('https://shop.example', '')),
  };
}

describe('the pages of a visitor', () => {
  it('are not reported before the conversation is entered', () => {
    const { goTo, urls } = setUp();

    goTo('/cart');
    vi.advanceTimersByTime(60_000);

    expect(urls()).toEqual([]);
  });

  it('are reported at most every ten seconds, the last one at the end', () => {
    const { visits, goTo, urls } = setUp();
    visits.enter('c');
    vi.advanceTimersByTime(1_000);

    for (const path of ['/a', '/b', '/c']) {
      goTo(path);
      vi.advanceTimersByTime(2_000);
    }
    vi.advanceTimersByTime(10_000);

    expect(urls()).toEqual(['/', '/c']);
  });

  it('are not repeated unless a minute has passed', () => {
    const { visits, goTo, urls } = setUp();
    visits.enter('c');
    vi.advanceTimersByTime(1_000);
    goTo('/');
    vi.advanceTimersByTime(20_000);
    const early = urls();

    vi.advanceTimersByTime(40_000);
    goTo('/');
    vi.advanceTimersByTime(10_000);

    expect([early, urls()]).toEqual([['/'], ['/', '/']]);
  });

  it('are not reported while the tab is hidden, or without a web address', () => {
    const { visits, goTo, urls } = setUp();
    goTo(undefined);
    visits.enter('c');
    vi.advanceTimersByTime(1_000);
    vi.stubGlobal('document', { visibilityState: 'hidden' });
    goTo('/a');

    vi.advanceTimersByTime(60_000);

    expect(urls()).toEqual([]);
  });

  it.each([
    ['is reported again after a failure of the network', new ChatFault(0, 'NoAnswer', ''), 2],
    ['is not reported again after a rejection', new ChatFault(404, 'ResourceNotFound', ''), 1],
  ])('%s', async (_, fault, times) => {
    const { visits, setVisit, goTo } = setUp();
    setVisit.mockRejectedValue(fault);
    visits.enter('c');
    await vi.advanceTimersByTimeAsync(1_000);

    goTo('/');
    await vi.advanceTimersByTimeAsync(10_000);

    expect(setVisit).toHaveBeenCalledTimes(times);
  });

  it('are followed until the chat stops', () => {
    const { visits, isFollowed } = setUp();
    visits.enter('c');
    const during = isFollowed();

    visits.stop();

    expect([during, isFollowed()]).toEqual([true, false]);
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readAlertSettings } from '#console/src/alerts/alertSettings.ts';
import type { Alert } from '#console/src/alerts/decideAlerts.ts';
import { watchAlerts } from '#console/src/alerts/watchAlerts.ts';
import type { InboxRow } from '#console/src/api/contract.ts';
import { at, ME, waiting } from './alertRows.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const settings = readAlertSettings({ events: { waiting: true } });
const counted = (second: number, counts = {}) => ({
  counts: { waiting: 0, served: 0, mine: 0, unread: 0, snoozed: 0, mentions: 0, ...counts },
  countedAt: at(second),
});
const newIn = (conversationId: string, second: number) =>
  waiting({ conversationId, startedAt: at(second), updatedAt: at(second) });

/** A tab that leads, with what the API returns. */
async function openTab({ isLeading = true } = {}) {
  const queue: InboxRow[] = [];
  const read = vi.fn(async (_botId: string, ids: readonly string[]) =>
    queue.filter(({ conversationId }) => ids.includes(conversationId)),
  );
  const list = vi.fn(async (which: 'waiting' | 'mine') => (which === 'waiting' ? [...queue] : []));
  const shown: string[][] = [];
  const watch = watchAlerts({
    ownId: ME,
    read,
    list,
    listMentions: async () => [],
    readSettings: async () => settings,
    readViewed: async () => () => false,
    show: (alerts: readonly Alert[]) => void shown.push(alerts.map(({ row }) => row.conversationId)),
  });
  if (isLeading) watch.lead();
  await watch.onCounts(counted(0));
  const notice = async (topics: string[], conversationIds?: string[]) => {
    await watch.onNotice({ botId: 'bot', topics, ...(conversationIds ? { conversationIds } : {}) });
  };
  const collected = () => vi.advanceTimersByTimeAsync(1_500);
  return { watch, queue, read, list, shown, notice, collected };
}

describe('notices', () => {
  it('read the conversations of a notice of handoffs, and nothing for other topics', async () => {
    const tab = await openTab();
    tab.queue.push(newIn('ada', 5));

    await tab.notice(['conversations', 'messages'], ['ada']);
    await tab.notice(['handoffs'], ['ada']);
    await tab.collected();

    expect(tab.read.mock.calls).toEqual([['bot', ['ada']]]);
    expect(tab.list).not.toHaveBeenCalled();
    expect(tab.shown).toEqual([['ada']]);
  });

  it('of a short time are shown as one alert', async () => {
    const tab = await openTab();
    tab.queue.push(newIn('ada', 5), newIn('bob', 6), newIn('cleo', 6));

    await tab.notice(['handoffs'], ['ada', 'bob']);
    await tab.notice(['handoffs'], ['cleo']);
    await tab.collected();

    expect(tab.shown).toEqual([['ada', 'bob', 'cleo']]);
  });

  it('without conversations read the lists', async () => {
    const tab = await openTab();
    tab.queue.push(newIn('ada', 5));

    await tab.notice(['handoffs']);
    await tab.collected();

    expect(tab.list.mock.calls).toEqual([['waiting'], ['mine']]);
    expect(tab.shown).toEqual([['ada']]);
  });

  it('whose conversations could not be read are made up for with the next counts', async () => {
    const tab = await openTab();
    tab.queue.push(newIn('ada', 5));
    tab.read.mockRejectedValueOnce(new Error('Failed to fetch'));

    await tab.notice(['handoffs'], ['ada']);
    await tab.watch.onCounts(counted(6));
    await tab.collected();

    expect(tab.shown).toEqual([['ada']]);
  });
});

describe('after an interruption', () => {
  it('shows one alert for all that was missed', async () => {
    const tab = await openTab();
    tab.watch.onConnection(false);
    tab.queue.push(newIn('ada', 5), newIn('bob', 6));

    tab.watch.onConnection(true);
    await tab.watch.onCounts(counted(9, { waiting: 2 }));
    await tab.collected();

    expect(tab.shown).toEqual([['ada', 'bob']]);
    expect(tab.list.mock.calls).toEqual([['waiting']]);
  });

  it('reads nothing if the counts are the same', async () => {
    const tab = await openTab();

    tab.watch.onConnection(false);
    tab.watch.onConnection(true);
    await tab.watch.onCounts(counted(9));

    expect(tab.list).not.toHaveBeenCalled();
  });

  it('reads nothing for counts that follow a notice', async () => {
    const tab = await openTab();

    await tab.watch.onCounts(counted(9, { waiting: 1 }));

    expect(tab.list).not.toHaveBeenCalled();
  });
});

it('alerts by polling if no connection can be opened', async () => {
  const tab = await openTab();
  tab.watch.onConnection(false);
  tab.queue.push(newIn('ada', 5));
  await tab.watch.onCounts(counted(10, { waiting: 1 }));
  await tab.collected();

  // Another member takes Ada's conversation, and Bob's replaces it in the queue.
  tab.queue.splice(0, 1, newIn('bob', 15));
  await tab.watch.onCounts(counted(20, { waiting: 1, served: 1 }));
  await tab.collected();

  expect(tab.shown).toEqual([['ada'], ['bob']]);
});

it('alerts in one tab, and continues in another one after it', async () => {
  const tab = await openTab({ isLeading: false });
  tab.queue.push(newIn('ada', 5), newIn('bob', 15));

  await tab.notice(['handoffs'], ['ada']);
  expect(tab.read).not.toHaveBeenCalled();
  await tab.watch.onCounts(counted(6, { waiting: 1 }));
  tab.watch.lead();
  await tab.notice(['handoffs'], ['ada', 'bob']);
  await tab.collected();

  expect(tab.shown).toEqual([['bob']]);
});

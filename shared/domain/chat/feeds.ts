import { clock, type Timer } from '#shared/core/clock.ts';
import { log } from '#shared/core/log.ts';
import { measured } from '#shared/core/metrics.ts';
import { Feed, type FeedListener, type Notice } from './feed.ts';

const feeds = new Map<string, Feed>();
const nameOf = (botId: string, conversationId: string) => `${botId} ${conversationId}`;

let isNotified = false;

/** Declares that every write calls {@link notifyListeners}, as on the local platform. */
export function expectNotices(isOn: boolean): void {
  isNotified = isOn;
  for (const feed of feeds.values()) feed.notify('changed');
}

export const notifyListeners = (botId: string, conversationId: string, notice: Notice): void =>
  feeds.get(nameOf(botId, conversationId))?.notify(notice);

let listeners = 0;
let counting: Timer | undefined;
const COUNTED_EVERY_MS = 60_000;

function countListeners(change: 1 | -1): void {
  listeners += change;
  if (listeners === 0) {
    counting?.stop();
    counting = undefined;
  } else
    counting ??= clock.every(COUNTED_EVERY_MS, () => log.info('Streams are open.', measured({ listeners }))).unref();
}

export function joinFeed(botId: string, listener: FeedListener): () => void {
  const { conversationId } = listener.participant;
  const name = nameOf(botId, conversationId);
  const feed = feeds.get(name) ?? new Feed(botId, conversationId, () => isNotified);
  feeds.set(name, feed);
  feed.join(listener);
  countListeners(1);
  return () => {
    countListeners(-1);
    feed.leave(listener);
    if (feed.isEmpty && feeds.get(name) === feed) feeds.delete(name);
  };
}

/** The feeds of this process: one for each conversation that somebody listens to here. */
import { clock, type Timer } from '#shared/core/clock.ts';
import { log } from '#shared/core/log.ts';
import { measured } from '#shared/core/metrics.ts';
import { Feed, type FeedListener, type Notice } from './feed.ts';

const feeds = new Map<string, Feed>();
const nameOf = (botId: string, conversationId: string) => `${botId} ${conversationId}`;

let isTold = false;

/**
 * Whether {@link notifyListeners} is called for every write of the platform, as where one process makes them all. Feeds
 * then hardly look by themselves.
 */
export function expectNotices(isOn: boolean): void {
  isTold = isOn;
  for (const feed of feeds.values()) feed.notify('heard');
}

/** Tells the listeners of this process, if there are any, that something was written into their conversation. */
export const notifyListeners = (botId: string, conversationId: string, notice: Notice): void =>
  feeds.get(nameOf(botId, conversationId))?.notify(notice);

let listeners = 0;
let counting: Timer | undefined;
const COUNTED_EVERY_MS = 60_000;

/** Logs every minute how many listen in this process, so that the sum of all processes is how many there are. */
function countListeners(change: 1 | -1): void {
  listeners += change;
  if (listeners === 0) {
    counting?.stop();
    counting = undefined;
  } else
    counting ??= clock.every(COUNTED_EVERY_MS, () => log.info('Streams are open.', measured({ listeners }))).unref();
}

/** Adds a listener to its conversation's feed. @returns how to leave it */
export function joinFeed(botId: string, listener: FeedListener): () => void {
  const { conversationId } = listener.participant;
  const name = nameOf(botId, conversationId);
  const feed = feeds.get(name) ?? new Feed(botId, conversationId, () => isTold);
  feeds.set(name, feed);
  feed.join(listener);
  countListeners(1);
  return () => {
    countListeners(-1);
    feed.leave(listener);
    if (feed.isEmpty && feeds.get(name) === feed) feeds.delete(name);
  };
}

/** Messages between the tabs of a browser that show one conversation. */
import type { Connection } from './listener.ts';
import type { Frame } from './transport.ts';

export type TabNews =
  /** A tab asks to join, or whether a tab leads. `after` is its last frame. */
  | { kind: 'ask'; from: string; isJoined: boolean; after?: string | undefined }
  /** The leading tab answers. `missed` is undefined if the tab has to read messages. */
  | { kind: 'joined'; to: string; missed: Frame[] | undefined; isLive: boolean; connection: Connection }
  | { kind: 'here' }
  /** A message that a tab has sent did not arrive. */
  | { kind: 'silent' }
  | { kind: 'leads' }
  /** The connection is live. */
  | { kind: 'open'; isResumed: boolean }
  | { kind: 'frame'; frame: Frame }
  | { kind: 'connection'; connection: Connection };

export interface TabChannel {
  post(news: TabNews): void;
}

/** Opens the channel until `closed`. Returns undefined where tabs cannot share: on insecure pages, or by settings. */
export function openChannel(
  name: string,
  closed: AbortSignal,
  onNews: (news: TabNews) => void,
): TabChannel | undefined {
  if (!(navigator as Partial<Navigator>).locks || typeof BroadcastChannel === 'undefined') return undefined;
  try {
    const channel = new BroadcastChannel(name);
    channel.onmessage = ({ data }) => {
      if (!closed.aborted) onNews(data);
    };
    closed.addEventListener('abort', () => channel.close());
    return { post: news => !closed.aborted && channel.postMessage(news) };
  } catch {
    return undefined;
  }
}

/**
 * Shares one connection between the tabs of a browser. The tab that holds a Web Lock leads: it listens, and passes
 * frames to the others over a BroadcastChannel. When it closes, crashes or freezes, another tab leads and resumes at
 * its own last frame. Without locks or channels, each tab has its own connection.
 */
import { type ChatFault, newKey } from './chatApi.ts';
import type { LiveSignal } from './chatContract.ts';
import { type Connection, Listener } from './listener.ts';
import { Progress, positionIn } from './progress.ts';
import { openChannel, type TabChannel, type TabNews } from './tabChannel.ts';
import { holdTabLock } from './tabLock.ts';
import type { Frame, Pauses, Transport } from './transport.ts';

/** Frames that a tab can pass to one that was paused. */
const RECENT = 100;
/** Unanswered checks after which another tab leads. A frozen tab keeps its lock. */
const MAX_UNANSWERED = 2;

export interface SharedListening {
  /** Name of the lock and the channel, unique for a chat, a user and a conversation. */
  name: string;
  transport: Transport;
  pauses: Pauses;
  /** Called when the connection is live. A tab that does not resume may have missed messages. */
  onOpen(isResumed: boolean): Promise<void>;
  onSignal(signal: LiveSignal): void;
  onConnection(connection: Connection): void;
  /** Called when the server permanently rejects this tab's user. */
  onRefused(fault: ChatFault): void;
}

/** One period between {@link SharedListener.start} and {@link SharedListener.stop}. */
interface Period {
  stopped: AbortController;
  channel: TabChannel | undefined;
}

export class SharedListener {
  readonly #tab = newKey();
  #listening: SharedListening;
  #progress = new Progress();
  #listener: Listener;
  #period: Period | undefined;
  #role: 'leading' | 'joined' | 'joining' = 'joining';
  /** True while the connection of the leading tab is live. */
  #isLive = false;
  #connection: Connection = 'connecting';
  /** The last frames with a place in the conversation. */
  #recent: Frame[] = [];
  #unanswered = 0;
  /** Ends the request for the lock. */
  #request = new AbortController();

  constructor(listening: SharedListening) {
    const { transport, pauses, onRefused } = listening;
    this.#listening = listening;
    this.#listener = new Listener({
      transport,
      pauses,
      progress: this.#progress,
      onOpen: isResumed => {
        this.#isLive = true;
        this.#period?.channel?.post({ kind: 'open', isResumed });
        return listening.onOpen(isResumed);
      },
      onFrame: frame => {
        if (this.#take(frame) && frame.signal) this.#period?.channel?.post({ kind: 'frame', frame });
      },
      onConnection: connection => this.#setConnection(connection),
      onRefused: fault => {
        this.stop();
        onRefused(fault);
      },
    });
  }

  /** Resumes at the last position. */
  start(): void {
    if (this.#period) return;
    const stopped = new AbortController();
    const period: Period = { stopped, channel: undefined };
    this.#period = period;
    period.channel = openChannel(this.#listening.name, stopped.signal, news => this.#hear(news));
    if (!period.channel) {
      this.#lead(period);
      return;
    }
    this.#follow(period);
    const timer = setInterval(() => this.#check(period), this.#listening.pauses.checkMs);
    stopped.signal.addEventListener('abort', () => clearInterval(timer));
  }

  stop(): void {
    this.#listener.stop();
    this.#period?.stopped.abort();
    this.#period = undefined;
  }

  /** Ends a pause, for example when the network returns. */
  wake(): void {
    this.#listener.wake();
    if (this.#period && this.#role === 'joining') this.#ask();
  }

  /**
   * Replaces a connection that does not receive the user's own message. A network may drop an idle connection without a
   * close event.
   */
  expect(messageId: string): void {
    const period = this.#period;
    const position = positionIn(messageId);
    const timer = setTimeout(() => {
      if (this.#progress.has(position)) return;
      if (this.#role === 'leading') this.#listener.wake();
      else period?.channel?.post({ kind: 'silent' });
    }, this.#listening.pauses.silenceMs);
    period?.stopped.signal.addEventListener('abort', () => clearTimeout(timer));
  }

  /** Asks the leading tab for frames, and waits for its lock. */
  #follow(period: Period, isStealing = false): void {
    this.#role = 'joining';
    this.#unanswered = 0;
    this.#setConnection('connecting');
    this.#ask();
    this.#request.abort();
    this.#request = new AbortController();
    const until = AbortSignal.any([period.stopped.signal, this.#request.signal]);
    void holdTabLock(this.#listening.name, { until, isStealing, onHeld: () => this.#lead(period) }).then(end => {
      if (until.aborted) return;
      if (end === 'unavailable') return this.#lead(period);
      this.#listener.stop();
      this.#follow(period);
    });
  }

  #lead(period: Period): void {
    if (period.stopped.signal.aborted) return;
    this.#role = 'leading';
    period.channel?.post({ kind: 'leads' });
    this.#listener.start();
  }

  /** Replaces a leading tab that does not answer. */
  #check(period: Period): void {
    if (this.#role === 'leading') return;
    if (this.#unanswered++ < MAX_UNANSWERED) this.#ask();
    else this.#follow(period, true);
  }

  #ask(): void {
    this.#period?.channel?.post({
      kind: 'ask',
      from: this.#tab,
      isJoined: this.#role === 'joined',
      after: this.#progress.isCaughtUp ? idOf(this.#recent.at(-1)) : undefined,
    });
  }

  #hear(news: TabNews): void {
    if (this.#role === 'leading') {
      if (news.kind === 'ask') this.#answer(news);
      if (news.kind === 'silent') this.#listener.wake();
      return;
    }
    if (news.kind === 'ask' || news.kind === 'silent') return;
    this.#unanswered = 0;
    if (this.#role === 'joining') {
      if (news.kind === 'leads') this.#ask();
      if (news.kind === 'joined' && news.to === this.#tab) this.#join(news);
      return;
    }
    if (news.kind === 'frame') this.#take(news.frame);
    if (news.kind === 'open') void this.#open(news.isResumed && this.#progress.isCaughtUp);
    if (news.kind === 'connection' && news.connection !== 'live') this.#setConnection(news.connection);
  }

  #answer({ from, isJoined, after }: Extract<TabNews, { kind: 'ask' }>): void {
    const channel = this.#period?.channel;
    if (isJoined) {
      channel?.post({ kind: 'here' });
      return;
    }
    const at = after === undefined ? -1 : this.#recent.findLastIndex(frame => idOf(frame) === after);
    const missed = at < 0 ? undefined : this.#recent.slice(at + 1);
    channel?.post({ kind: 'joined', to: from, missed, isLive: this.#isLive, connection: this.#connection });
  }

  #join({ missed, isLive, connection }: Extract<TabNews, { kind: 'joined' }>): void {
    this.#role = 'joined';
    if (!missed) this.#progress.forget();
    for (const frame of missed ?? []) this.#take(frame);
    if (connection !== 'live') this.#setConnection(connection);
    if (isLive) void this.#open(missed !== undefined);
  }

  /** Opens in a tab that follows. */
  async #open(isResumed: boolean): Promise<void> {
    const period = this.#period;
    const isCurrent = () => this.#period === period && this.#role === 'joined';
    this.#isLive = true;
    try {
      await this.#listening.onOpen(isResumed);
      if (!isCurrent()) return;
      this.#progress.isCaughtUp = true;
      if (this.#isLive) this.#setConnection('live');
    } catch {
      if (!isCurrent()) return;
      // The next check asks to join again, and reads the messages again.
      if (!isResumed) this.#progress.forget();
      this.#role = 'joining';
      this.#setConnection('lost');
    }
  }

  /** Returns false for a repeated frame. */
  #take(frame: Frame): boolean {
    const { position, cursor, isMissed, signal } = frame;
    if (position !== undefined && !this.#progress.takePosition(position, isMissed)) return false;
    // Each cursor contains the position of its signal.
    if (cursor !== undefined && !this.#progress.takeCursor(cursor) && signal) return false;
    if (signal && idOf(frame) !== undefined) this.#recent = [...this.#recent, frame].slice(-RECENT);
    if (signal) this.#listening.onSignal(signal);
    return true;
  }

  #setConnection(connection: Connection): void {
    this.#connection = connection;
    if (connection !== 'live') this.#isLive = false;
    if (this.#role === 'leading') this.#period?.channel?.post({ kind: 'connection', connection });
    this.#listening.onConnection(connection);
  }
}

const idOf = (frame: Frame | undefined): string | undefined => frame?.position ?? frame?.cursor;

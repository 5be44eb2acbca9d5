/**
 * What a conversation's listeners in one process share: one loop looks at the timeline and at presence for all of them,
 * and reads together who still takes part. Each listener goes by its own cursor, at the pace of its client.
 */
import { clock } from '#shared/core/clock.ts';
import { errorFields, log } from '#shared/core/log.ts';
import { createdAtMs, type Entry } from '#shared/storage/dynamodb/chat/entry.ts';
import { findParticipantsEventually, type Participant } from '#shared/storage/dynamodb/chat/participants.ts';
import { findPresence, type Presence } from '#shared/storage/dynamodb/chat/presence.ts';
import { entriesFrom } from '#shared/storage/dynamodb/chat/timeline.ts';
import { sizeOf } from '#shared/storage/dynamodb/largeValue.ts';
import { floorAt, WINDOW_MS } from './listenCursor.ts';
import {
  BUSY_MS,
  CHECK_MS,
  checkAfter,
  isActive,
  PRESENCE_LOOKS,
  PROMPT_MS,
  pauseAfter,
  pauseWhenTold,
  TOLD_MS,
} from './listenPace.ts';
import { stillTakesPart } from './participation.ts';

/** What the last look found. It is replaced by the next one, never changed. */
export interface View {
  /** The position from which on nothing is missing. A listener whose cursor is older reads for itself. */
  from: string;
  /** In order. */
  entries: readonly Entry[];
  /** The time before which no entry will appear any more. */
  settledMs: number;
  presence: readonly Presence[];
}

export interface FeedListener {
  participant: Participant;
  /** @param isNews there may be something to send; otherwise the view may wait until there is */
  offer(view: View, isNews: boolean): void;
  /** Removed from the conversation, as the view that was offered last shows. */
  finish(): void;
  /** Takes part no more; or, with `error`, the conversation cannot be read. */
  end(error?: unknown): void;
}

/** Listeners take longer to send what a look found than the next look takes: entries are kept this long … */
const KEPT_MS = 20_000;
/** … unless they are larger together. */
const KEPT_BYTES = 4 * 1024 * 1024;

/** DynamoDB may fail for a moment, which is no reason for a thousand clients to come back at once. */
const ATTEMPTS = 3;
const RETRY_MS = 1_000;

/** Of writes: what listeners hear of, and an end of taking part. */
export type Notice = 'heard' | 'left';

/** The state of a listener in its feed. */
interface Standing {
  /** When it was known to take part. */
  checkedMs: number;
  /** It has not heard of a look yet, which may find what is new to it only. */
  isNewcomer: boolean;
  /** It takes part no more, although the timeline did not show it yet. */
  isLeaving: boolean;
}

const NOTHING: Record<Notice, boolean> = { heard: false, left: false };

/** Small while nothing is said: a process may hold thousands. */
export class Feed {
  readonly #botId: string;
  readonly #conversationId: string;
  /** Whether this process is told of all writes. */
  readonly #isTold: () => boolean;
  readonly #listeners = new Map<FeedListener, Standing>();

  /** Undefined before the first look. */
  #view: View | undefined;
  #isRunning = false;
  /** The view's entries by position; undefined when there are none. */
  #known: Map<string, Entry> | undefined;
  #looks = 0;
  /** The last signal, or the last listener who came. */
  #newsMs = 0;
  /** The notices since the last look began. */
  #noticed: Record<Notice, boolean> = { ...NOTHING };
  /** Ends the pause between two looks, after some time. */
  #resumeIn: (ms: number) => void = () => {};

  constructor(botId: string, conversationId: string, isTold: () => boolean) {
    this.#botId = botId;
    this.#conversationId = conversationId;
    this.#isTold = isTold;
  }

  get isEmpty(): boolean {
    return this.#listeners.size === 0;
  }

  /** A listener who was just authorised. It hears of what the next look finds. */
  join(listener: FeedListener): void {
    this.#newsMs = clock.now();
    this.#listeners.set(listener, { checkedMs: this.#newsMs, isNewcomer: true, isLeaving: false });
    if (this.#isRunning) this.notify('heard');
    else void this.#run();
  }

  leave(listener: FeedListener): void {
    this.#listeners.delete(listener);
    if (this.isEmpty) this.#resumeIn(0);
  }

  /** Looks soon. */
  notify(notice: Notice): void {
    if (!this.#isNoticed) this.#resumeIn(PROMPT_MS);
    this.#noticed[notice] = true;
  }

  get #isNoticed(): boolean {
    return this.#noticed.heard || this.#noticed.left;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    let failures = 0;
    while (!this.isEmpty) {
      try {
        await this.#look();
        failures = 0;
      } catch (error) {
        failures++;
        log.warn('A conversation with listeners could not be read.', { attempt: failures, error: errorFields(error) });
        // The next look makes up for this one.
        this.#noticed = { heard: true, left: true };
        if (failures === ATTEMPTS) {
          for (const listener of this.#listeners.keys()) listener.end(error);
          failures = 0;
        }
        await clock.sleep(RETRY_MS);
      }
      await this.#pause();
    }
    this.#isRunning = false;
  }

  #pause(): Promise<void> {
    if (this.isEmpty) return Promise.resolve();
    return new Promise(resolve => {
      const quietMs = clock.now() - this.#newsMs;
      const ms = this.#isNoticed ? BUSY_MS : this.#isTold() ? pauseWhenTold() : pauseAfter(quietMs);
      let timer = clock.after(ms, resolve);
      this.#resumeIn = soonMs => {
        timer.stop();
        timer = clock.after(soonMs, resolve);
      };
    });
  }

  async #look(): Promise<void> {
    const nowMs = clock.now();
    const noticed = this.#noticed;
    this.#noticed = { ...NOTHING };
    const newcomers = new Set([...this.#listeners.values()].filter(({ isNewcomer }) => isNewcomer));
    const last = this.#view;

    // Presence is read before the timeline and sent after it, so that a removed participant receives none that is newer
    // than the removal. It is not awaited in between, which would delay messages.
    const isPresenceDue = isActive(nowMs - this.#newsMs) || noticed.heard || this.#looks++ % PRESENCE_LOOKS === 0;
    const reading = isPresenceDue ? findPresence(this.#botId, this.#conversationId) : undefined;
    reading?.catch(() => {});
    const { from, entries, hasNew } = await this.#readEntries(last, nowMs);
    const presence = (await reading) ?? last?.presence ?? [];

    const isNews = hasNew || !isSame(presence, last?.presence ?? []);
    const settledMs = Math.max(nowMs - WINDOW_MS, last?.settledMs ?? 0);
    const view = { from, entries, settledMs, presence };
    const missing = await this.#findMissing(nowMs, isNews, noticed.left);
    for (const listener of missing) this.#see(listener, view);
    this.#view = view;
    if (isNews) this.#newsMs = nowMs;
    for (const [listener, standing] of this.#listeners) {
      if (standing.isLeaving) continue;
      listener.offer(view, isNews || newcomers.has(standing));
    }
    for (const standing of newcomers) standing.isNewcomer = false;
  }

  async #readEntries(last: View | undefined, nowMs: number) {
    const first = floorAt(last ? last.settledMs : nowMs - WINDOW_MS);
    // What the listeners may not have sent when the last look settled.
    const oldest = last ? floorAt(last.settledMs - KEPT_MS) : first;
    let from = last && last.from > oldest ? last.from : oldest;
    let entries = (last?.entries ?? []).filter(({ position }) => position >= from && position < first);
    if (entries.reduce((sum, { payload }) => sum + (payload ? sizeOf(payload) : 0), 0) > KEPT_BYTES) {
      entries = [];
      from = first;
    }
    let hasNew = false;
    const isNew = (position: string) => {
      const known = this.#known?.get(position);
      if (known) entries.push(known);
      return !known;
    };
    for await (const entry of entriesFrom(this.#botId, this.#conversationId, first, isNew)) {
      entries.push(entry);
      hasNew = true;
    }
    this.#known = entries.length > 0 ? new Map(entries.map(entry => [entry.position, entry])) : undefined;
    return { from, entries, hasNew };
  }

  /** Listeners who take part no more. Not all are looked for each time: see `listenPace.ts`. */
  async #findMissing(nowMs: number, isNews: boolean, hasNotice: boolean): Promise<FeedListener[]> {
    const isTold = this.#isTold();
    const checkAfterMs = isTold ? TOLD_MS : isNews ? CHECK_MS : checkAfter(this.#listeners.size);
    const due = [...this.#listeners].flatMap(([listener, { checkedMs, isNewcomer }]) =>
      // A newcomer may have left since it was authorised, when there was nobody to tell of it.
      hasNotice || nowMs - checkedMs >= checkAfterMs || (isTold && isNewcomer) ? listener : [],
    );
    if (due.length === 0) return [];
    const userIds = due.map(({ participant }) => participant.userId);
    const found = await findParticipantsEventually(this.#botId, this.#conversationId, userIds);
    return due.filter((listener, i) => {
      const standing = this.#listeners.get(listener);
      if (!stillTakesPart(found[i], listener.participant)) return standing !== undefined;
      if (standing) standing.checkedMs = nowMs;
      return false;
    });
  }

  /**
   * The timeline records who was removed, and the listener still hears what was said before. It does not record that
   * the conversation or the user was deleted, and then nobody can tell what was said before. A look may miss the record
   * of what happened a moment ago, so a second one follows.
   */
  #see(leaving: FeedListener, view: View): void {
    const { userId, joinedAtMs } = leaving.participant;
    const isRemoved = view.entries.some(
      entry => entry.kind === 'participant_removed' && entry.userId === userId && createdAtMs(entry) >= joinedAtMs,
    );
    if (isRemoved) {
      leaving.offer(view, true);
      leaving.finish();
    } else if (this.#listeners.get(leaving)?.isLeaving) leaving.end();
    else {
      this.#noticed.left = true;
      this.#listeners.get(leaving)!.isLeaving = true;
      return;
    }
    this.leave(leaving);
  }
}

const isSame = (some: readonly Presence[], others: readonly Presence[]) =>
  some.length === others.length &&
  some.every(({ name, atMs }, i) => name === others[i]!.name && atMs === others[i]!.atMs);

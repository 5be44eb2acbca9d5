/** The feed of a conversation: one loop polls for all listeners of a process, each with its own cursor. */
import { clock } from '#shared/core/clock.ts';
import { errorFields, log } from '#shared/core/log.ts';
import { isStillParticipant } from '#shared/domain/messaging/participation.ts';
import { createdAtMs, type Entry } from '#shared/storage/dynamodb/chat/entry.ts';
import { findParticipantsEventually, type Participant } from '#shared/storage/dynamodb/chat/participants.ts';
import { findPresence, type Presence } from '#shared/storage/dynamodb/chat/presence.ts';
import { entriesFrom } from '#shared/storage/dynamodb/chat/timeline.ts';
import { sizeOf } from '#shared/storage/dynamodb/engine/largeValue.ts';
import { floorAt, WINDOW_MS } from './listenCursor.ts';
import {
  BUSY_MS,
  CHECK_MS,
  checkAfter,
  isActive,
  NOTIFIED_POLL_MS,
  PRESENCE_POLLS,
  PROMPT_MS,
  pauseAfter,
  pauseWhenNotified,
} from './listenPace.ts';

export interface View {
  /** The position from which the entries are complete. Listeners behind it read for themselves. */
  from: string;
  entries: readonly Entry[];
  /** The watermark: no entry before it can still appear. */
  watermarkMs: number;
  presence: readonly Presence[];
}

export interface FeedListener {
  participant: Participant;
  offer(view: View, isNews: boolean): void;
  finish(): void;
  end(error?: unknown): void;
}

const RETENTION_MS = 20_000;
const MAX_BYTES = 4 * 1024 * 1024;

/** Tolerates short failures of DynamoDB, so that thousands of clients do not reconnect. */
const ATTEMPTS = 3;
const RETRY_MS = 1_000;

/** Kind of a write: it creates signals, or it ends a participation. */
export type Notice = 'changed' | 'left';

interface ListenerState {
  checkedMs: number;
  /** True until the listener's first poll, which may contain signals that other listeners have received. */
  isNewcomer: boolean;
  /** True if the participation has ended but the timeline does not show it yet. */
  isLeaving: boolean;
}

const NOTHING: Record<Notice, boolean> = { changed: false, left: false };

/** Idle feeds must be small, because a process may have thousands. */
export class Feed {
  readonly #botId: string;
  readonly #conversationId: string;
  readonly #isNotified: () => boolean;
  readonly #listeners = new Map<FeedListener, ListenerState>();

  #view: View | undefined;
  #isRunning = false;
  #known: Map<string, Entry> | undefined;
  #pollCount = 0;
  #newsMs = 0;
  #noticed: Record<Notice, boolean> = { ...NOTHING };
  #resumeIn: (ms: number) => void = () => {};

  constructor(botId: string, conversationId: string, isNotified: () => boolean) {
    this.#botId = botId;
    this.#conversationId = conversationId;
    this.#isNotified = isNotified;
  }

  get isEmpty(): boolean {
    return this.#listeners.size === 0;
  }

  join(listener: FeedListener): void {
    this.#newsMs = clock.now();
    this.#listeners.set(listener, { checkedMs: this.#newsMs, isNewcomer: true, isLeaving: false });
    if (this.#isRunning) this.notify('changed');
    else void this.#run();
  }

  leave(listener: FeedListener): void {
    this.#listeners.delete(listener);
    if (this.isEmpty) this.#resumeIn(0);
  }

  notify(notice: Notice): void {
    if (!this.#hasNotice) this.#resumeIn(PROMPT_MS);
    this.#noticed[notice] = true;
  }

  get #hasNotice(): boolean {
    return this.#noticed.changed || this.#noticed.left;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    let failures = 0;
    while (!this.isEmpty) {
      try {
        await this.#poll();
        failures = 0;
      } catch (error) {
        failures++;
        log.warn('A conversation with listeners could not be read.', { attempt: failures, error: errorFields(error) });
        this.#noticed = { changed: true, left: true };
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
      const ms = this.#hasNotice ? BUSY_MS : this.#isNotified() ? pauseWhenNotified() : pauseAfter(quietMs);
      let timer = clock.after(ms, resolve);
      this.#resumeIn = soonMs => {
        timer.stop();
        timer = clock.after(soonMs, resolve);
      };
    });
  }

  async #poll(): Promise<void> {
    const nowMs = clock.now();
    const noticed = this.#noticed;
    this.#noticed = { ...NOTHING };
    const newcomers = new Set([...this.#listeners.values()].filter(({ isNewcomer }) => isNewcomer));
    const last = this.#view;

    // Presence is read before the timeline and sent after it, so that a removed participant receives none newer than
    // the removal. It is not awaited in between, because messages have priority.
    const isPresenceDue = isActive(nowMs - this.#newsMs) || noticed.changed || this.#pollCount++ % PRESENCE_POLLS === 0;
    const reading = isPresenceDue ? findPresence(this.#botId, this.#conversationId) : undefined;
    reading?.catch(() => {});
    const { from, entries, hasNew } = await this.#readEntries(last, nowMs);
    const presence = (await reading) ?? last?.presence ?? [];

    const isNews = hasNew || !isSame(presence, last?.presence ?? []);
    const watermarkMs = Math.max(nowMs - WINDOW_MS, last?.watermarkMs ?? 0);
    const view = { from, entries, watermarkMs, presence };
    const missing = await this.#findMissing(nowMs, isNews, noticed.left);
    for (const listener of missing) this.#removeLeaving(listener, view);
    this.#view = view;
    if (isNews) this.#newsMs = nowMs;
    for (const [listener, standing] of this.#listeners) {
      if (standing.isLeaving) continue;
      listener.offer(view, isNews || newcomers.has(standing));
    }
    for (const standing of newcomers) standing.isNewcomer = false;
  }

  async #readEntries(last: View | undefined, nowMs: number) {
    const first = floorAt(last ? last.watermarkMs : nowMs - WINDOW_MS);
    const oldest = last ? floorAt(last.watermarkMs - RETENTION_MS) : first;
    let from = last && last.from > oldest ? last.from : oldest;
    let entries = (last?.entries ?? []).filter(({ position }) => position >= from && position < first);
    if (entries.reduce((sum, { payload }) => sum + (payload ? sizeOf(payload) : 0), 0) > MAX_BYTES) {
      entries = [];
      from = first;
    }
    let hasNew = false;
    const isNew = (position: string) => {
      const known = this.#known?.get(position);
      if (known) entries.push(known);
      return !known;
    };
    for await (const entry of entriesFrom(this.#botId, this.#conversationId, first, { isNew })) {
      entries.push(entry);
      hasNew = true;
    }
    this.#known = entries.length > 0 ? new Map(entries.map(entry => [entry.position, entry])) : undefined;
    return { from, entries, hasNew };
  }

  /** Returns listeners whose participation ended. Checks only listeners that are due: see `listenPace.ts`. */
  async #findMissing(nowMs: number, isNews: boolean, hasNotice: boolean): Promise<FeedListener[]> {
    const isNotified = this.#isNotified();
    const checkAfterMs = isNotified ? NOTIFIED_POLL_MS : isNews ? CHECK_MS : checkAfter(this.#listeners.size);
    const due = [...this.#listeners].flatMap(([listener, { checkedMs, isNewcomer }]) =>
      // A new listener may have been removed since its authorisation, before it received notices.
      hasNotice || nowMs - checkedMs >= checkAfterMs || (isNotified && isNewcomer) ? listener : [],
    );
    if (due.length === 0) return [];
    const userIds = due.map(({ participant }) => participant.userId);
    const found = await findParticipantsEventually(this.#botId, this.#conversationId, userIds);
    return due.filter((listener, i) => {
      const standing = this.#listeners.get(listener);
      if (!isStillParticipant(found[i], listener.participant)) return standing !== undefined;
      if (standing) standing.checkedMs = nowMs;
      return false;
    });
  }

  /**
   * Ends a listener. If the timeline shows the removal, entries before it are still sent. Otherwise, polls once more,
   * because the first poll may have missed the entry.
   */
  #removeLeaving(leaving: FeedListener, view: View): void {
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

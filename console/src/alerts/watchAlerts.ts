/**
 * Alerts of one tab. Reads only the conversations that a notice of handoffs names. Where notices may have been missed,
 * it reads the start of the lists whose counts have changed.
 */
import type { HandoffCounts, InboxRow, Mention } from '../api/contract.ts';
import type { Notice } from '../api/live/notices.ts';
import type { AlertSettings } from './alertSettings.ts';
import { type Alert, type Considered, decideAlerts, decideMentions, joinAlerts, type Viewer } from './decideAlerts.ts';

/** Alerts within this time are shown as one. Notices of a bot arrive a second apart. */
const COLLECT_MS = 1_500;

interface Counted {
  counts: HandoffCounts;
  countedAt: string;
}

interface Watching {
  ownId: string;
  /** Reads the latest handoffs of conversations. */
  read(botId: string, conversationIds: readonly string[]): Promise<InboxRow[]>;
  /** Reads the latest handoffs of the queue, or of those that are assigned to the member. */
  list(which: 'waiting' | 'mine'): Promise<InboxRow[]>;
  /** Reads the latest unread mentions of the member. */
  listMentions(): Promise<Mention[]>;
  readSettings(): Promise<AlertSettings>;
  readViewed(): Promise<Viewer['isViewing']>;
  show(alerts: readonly Alert[], settings: AlertSettings): void;
}

export interface AlertWatch {
  /** Begins to alert to later changes, because this tab leads now. */
  lead(): void;
  onNotice(notice: Notice): Promise<void>;
  /** Each result of the counts, which every page reads. */
  onCounts(counted: Counted): Promise<void>;
  onConnection(isLive: boolean): void;
  stop(): void;
}

export function watchAlerts({ ownId, read, list, listMentions, readSettings, readViewed, show }: Watching): AlertWatch {
  let considered: Considered | undefined;
  let isLeading = false;
  let latest: Counted | undefined;
  /** True if notices may have been missed. */
  let isGap = false;
  let isLive = true;
  /** Counts whose conversations were considered. Undefined after a failure. */
  let covered: HandoffCounts | undefined;
  let pending: Alert[] = [];
  const knownMentions = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function start(): void {
    if (isLeading && latest) considered ??= { since: latest.countedAt, byHandoff: new Map() };
  }

  async function consider(rows: readonly InboxRow[]): Promise<void> {
    const [settings, isViewing] = await Promise.all([readSettings(), readViewed()]);
    if (!considered) return;
    const decided = decideAlerts(considered, rows, { ownId, events: settings.events, isViewing });
    considered = decided.considered;
    alert(decided.alerts, settings);
  }

  async function considerMentions(): Promise<void> {
    const [mentions, settings, isViewing] = await Promise.all([listMentions(), readSettings(), readViewed()]);
    if (!considered) return;
    const { events } = settings;
    const alerts = decideMentions({ since: considered.since, considered: knownMentions }, mentions, {
      events,
      isViewing,
    });
    for (const { noteId } of mentions) knownMentions.add(noteId);
    alert(alerts, settings);
  }

  function alert(alerts: readonly Alert[], settings: AlertSettings): void {
    if (alerts.length === 0) return;
    pending = joinAlerts(pending, alerts);
    timer ??= setTimeout(() => {
      timer = undefined;
      show(pending, settings);
      pending = [];
    }, COLLECT_MS);
  }

  function fail(): void {
    isGap = true;
    covered = undefined;
  }

  async function catchUp(before: HandoffCounts | undefined, now: HandoffCounts): Promise<void> {
    const differs = (...names: (keyof HandoffCounts)[]) => !before || names.some(name => before[name] !== now[name]);
    const rows = await Promise.all([
      // A conversation that replaces another one in the queue leaves the count as it was.
      differs('waiting', 'served') ? list('waiting') : [],
      differs('mine', 'unread') ? list('mine') : [],
    ]);
    const found = rows.flat();
    if (found.length > 0) await consider(found);
    if (now.mentions > 0 && differs('mentions')) await considerMentions();
  }

  return {
    lead: () => {
      isLeading = true;
      start();
    },
    async onNotice({ botId, topics, conversationIds, accountIds }) {
      if (!considered) return;
      try {
        if (accountIds?.includes(ownId)) await considerMentions();
        if (!topics.includes('handoffs')) return;
        if (conversationIds) await consider(await read(botId, conversationIds));
        else if (latest) await catchUp(undefined, latest.counts);
      } catch {
        fail();
      }
    },
    async onCounts(counted) {
      latest = counted;
      const wasStarted = considered !== undefined;
      start();
      const before = covered;
      const isMissing = wasStarted && (isGap || !isLive);
      covered = counted.counts;
      isGap = false;
      if (isMissing) await catchUp(before, counted.counts).catch(fail);
    },
    onConnection: now => {
      if (!now) isGap = true;
      isLive = now;
    },
    stop: () => {
      considered = undefined;
      clearTimeout(timer);
    },
  };
}

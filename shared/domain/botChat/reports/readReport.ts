/** Reports of the inbox (docs/api/botChat.md#reports), from the counters of up to 100 bots. */
import * as z from 'zod/mini';
import { DAY_MS, dayOf, HOUR_MS } from '#shared/core/calendar.ts';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { type Count, pagesOfCounters } from '#shared/storage/dynamodb/bots/reportCounters.ts';
import { ReasonsView, readReasons } from './handoffReasons.ts';
import { localHoursOf } from './localHours.ts';
import { Figures, FiguresView } from './reportFigures.ts';

/** Bounds the items of members that a report reads: 50 members of one bot on 92 days are 4,600. */
const MAX_MEMBER_ITEMS = 20_000;
/** Queries of one report that run concurrently. The client of DynamoDB has 50 connections. */
const CONCURRENT_QUERIES = 25;

const MAX_MEMBERS = 500;
const WEEKDAYS = 7;
const HOURS = 24;

export interface Span {
  /** The first and the last day in the time zone. */
  from: string;
  to: string;
}

export const ReportView = z.object({
  from: z.string(),
  to: z.string(),
  timeZone: z.string(),
  totals: FiguresView,
  preceding: z.object({ from: z.string(), to: z.string(), totals: FiguresView }),
  days: z.array(z.extend(FiguresView, { date: z.string() })),
  startedByHour: z.array(z.array(z.number())),
  bots: z.array(z.extend(FiguresView, { botId: z.string() })),
  members: z.array(z.extend(FiguresView, { id: z.string(), name: z.string() })),
  hasMoreMembers: z.boolean(),
  reasons: ReasonsView,
});

const shifted = (date: string, days: number) => dayOf(Date.parse(date) + days * DAY_MS);
export const daysOf = ({ from, to }: Span) => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;

export async function readReport(
  botIds: readonly string[],
  span: Span,
  timeZone: string,
): Promise<z.infer<typeof ReportView>> {
  const { from, to } = span;
  const count = daysOf(span);
  const preceding = { from: shifted(from, -count), to: shifted(from, -1) };
  const localHour = localHoursOf(timeZone);
  const [counted, members, reasons] = await Promise.all([
    readBots(botIds, { span, preceding, localHour }),
    readMembers(botIds, { span, localHour }),
    // A local day begins and ends within a day of the UTC day.
    readReasons(botIds, {
      fromMs: Date.parse(from) - DAY_MS,
      toMs: Date.parse(to) + 2 * DAY_MS,
      isIncluded: ms => isWithin(span, localHour(startOfHour(ms)).date),
    }),
  ]);
  const none = new Figures();
  return {
    from,
    to,
    timeZone,
    totals: counted.totals.view(),
    preceding: { ...preceding, totals: counted.before.view() },
    days: Array.from({ length: count }, (_, i) => {
      const date = shifted(from, i);
      return { date, ...(counted.days.get(date) ?? none).view() };
    }),
    startedByHour: counted.startedByHour,
    bots: botIds.map(botId => ({ botId, ...(counted.bots.get(botId) ?? none).view() })),
    ...members,
    reasons,
  };
}

const startOfHour = (ms: number) => ms - (ms % HOUR_MS);
const isWithin = ({ from, to }: Span, date: string) => date >= from && date <= to;

type LocalHour = ReturnType<typeof localHoursOf>;

async function readBots(
  botIds: readonly string[],
  { span, preceding, localHour }: { span: Span; preceding: Span; localHour: LocalHour },
) {
  const [totals, before] = [new Figures(), new Figures()];
  const days = new Map<string, Figures>();
  const bots = new Map<string, Figures>();
  const startedByHour = Array.from({ length: WEEKDAYS }, () => new Array<number>(HOURS).fill(0));
  const add = (botId: string, count: Count) => {
    const { date, weekday, hour } = localHour(count.atMs);
    if (isWithin(preceding, date)) before.add(count);
    if (!isWithin(span, date)) return;
    totals.add(count);
    figuresIn(days, date).add(count);
    figuresIn(bots, botId).add(count);
    if ('counter' in count && count.counter === 'started') startedByHour[weekday]![hour]! += count.amount;
  };
  await mapConcurrently(botIds, CONCURRENT_QUERIES, async botId => {
    for await (const page of pagesOfCounters(botId, 'bot', shifted(preceding.from, -1), shifted(span.to, 1))) {
      for (const { counts } of page) for (const count of counts) add(botId, count);
    }
  });
  return { totals, before, days, bots, startedByHour };
}

/** Members in the order of their assigned handoffs. */
async function readMembers(
  botIds: readonly string[],
  { span, localHour }: { span: Span; localHour: LocalHour },
): Promise<Pick<z.infer<typeof ReportView>, 'members' | 'hasMoreMembers'>> {
  const members = new Map<string, Figures>();
  const names = new Map<string, string>();
  let items = 0;
  let hasMoreMembers = false;
  await mapConcurrently(botIds, CONCURRENT_QUERIES, async botId => {
    for await (const page of pagesOfCounters(botId, 'member', shifted(span.from, -1), shifted(span.to, 1))) {
      for (const { of, name = of, counts } of page.slice(0, MAX_MEMBER_ITEMS - items)) {
        const own = counts.filter(({ atMs }) => isWithin(span, localHour(atMs).date));
        if (own.length === 0) continue;
        // Pages start with the latest day.
        if (!names.has(of)) names.set(of, name);
        const figures = figuresIn(members, of);
        for (const count of own) figures.add(count);
      }
      items += page.length;
      hasMoreMembers ||= items > MAX_MEMBER_ITEMS;
      if (items >= MAX_MEMBER_ITEMS) return;
    }
  });
  const views = [...members]
    .map(([id, figures]) => ({ id, name: names.get(id)!, ...figures.view() }))
    .sort((a, b) => b.assigned - a.assigned || (a.name < b.name ? -1 : 1));
  return { members: views.slice(0, MAX_MEMBERS), hasMoreMembers: hasMoreMembers || views.length > MAX_MEMBERS };
}

function figuresIn(map: Map<string, Figures>, key: string): Figures {
  const known = map.get(key) ?? new Figures();
  map.set(key, known);
  return known;
}

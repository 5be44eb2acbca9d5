/**
 * Section `growth`: lists, gets, searches by tag and finds in bots with 10² to 10⁶ records of a kind (two hours).
 * Writes the plot of docs/performance.md.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type GrowingBot, grow, KINDS, type Kind } from './growingBot.ts';
import { metered } from './metered.ts';
import { callPlatform, type Request } from './platformCalls.ts';
import { plot, type Series } from './plot.ts';
import { type Section, times } from './report.ts';
import type { Services } from './services.ts';
import { median } from './statistics.ts';

/** The numbers of records: `BENCH_GROWTH=100,1000`. */
const COUNTS = (process.env.BENCH_GROWTH ?? '100,1000,10000,100000,1000000').split(',').map(Number);
const ROUNDS = 15;
/** Slow queries have fewer repetitions. */
const MAX_MS = 20_000;
const PLOT = join(import.meta.dirname, '../../docs/images/growth.svg');

interface Query {
  name: string;
  caller: 'bot' | 'owner';
  request(grown: GrowingBot): Request;
  /** Includes the second page, by the token of the first. */
  isPaged?: boolean;
  isOfWide?: boolean;
}

type Input = Omit<Request, 'group' | 'name'>;

const ofBot = (group: Request['group'], name: string, more: Input = {}) => ({
  caller: 'bot' as const,
  request: () => ({ group, name, ...more }),
});
/** Returns a request whose path contains the middle record's id, or the table's. */
const ofOne = (group: Request['group'], name: string, more: Input = {}) => ({
  caller: 'bot' as const,
  request: ({ id }: GrowingBot) => ({ group, name, path: [id], ...more }),
});
const pages = (group: Request['group'], name: string, isOfWide = false, more: Input = {}) => ({
  ...ofBot(group, name, more),
  isPaged: true,
  isOfWide,
});
const GOLD = { query: { 'tags[plan]': 'gold' } };

const QUERIES: Record<Kind, readonly Query[]> = {
  user: [
    { name: 'users: a page', ...pages('botChat', 'listUsers', true) },
    { name: 'users of a tag', ...ofBot('botChat', 'listUsers', GOLD) },
    { name: 'users: one', ...ofOne('botChat', 'getUser') },
    { name: 'values of a tag', ...ofBot('botChat', 'listTagValues', { path: ['plan'], query: { type: 'user' } }) },
  ],
  conversation: [
    { name: 'conversations: a page', ...pages('botChat', 'listConversations', true) },
    { name: 'conversations of a tag', ...ofBot('botChat', 'listConversations', GOLD) },
    { name: 'conversations: one', ...ofOne('botChat', 'getConversation') },
  ],
  workflow: [
    { name: 'workflows: a page', ...pages('botChat', 'listWorkflows') },
    { name: 'workflows by status', ...ofBot('botChat', 'listWorkflows', { query: { statuses: 'listening' } }) },
    { name: 'workflows: one', ...ofOne('botChat', 'getWorkflow') },
  ],
  event: [
    { name: 'events: a page', ...pages('botChat', 'listEvents', false, { query: { type: 'custom' } }) },
    { name: 'events by status', ...ofBot('botChat', 'listEvents', { query: { status: 'failed' } }) },
    { name: 'events: one', ...ofOne('botChat', 'getEvent') },
  ],
  message: [{ name: 'messages: one', ...ofOne('botChat', 'getMessage') }],
  file: [
    { name: 'files: a page', ...pages('files', 'listFiles', true) },
    { name: 'files by size', ...ofBot('files', 'listFiles', { query: { sortField: 'size' } }) },
    { name: 'files of a tag', ...ofBot('files', 'listFiles', GOLD) },
    { name: 'files: one', ...ofOne('files', 'getFile') },
  ],
  row: [
    { name: 'rows: one', ...ofOne('tables', 'getTableRow', { query: { id: '50' } }) },
    { name: 'rows: the first 100', ...ofOne('tables', 'findTableRows', { body: {} }) },
    { name: 'rows by key', ...ofOne('tables', 'findTableRows', { body: { filter: { email: 'user50@example.com' } } }) },
    { name: 'rows by another column', ...ofOne('tables', 'findTableRows', { body: { filter: { age: 36 } } }) },
  ],
  audit: [
    {
      name: 'audit records: a page',
      caller: 'owner',
      request: ({ owner }) => ({ group: 'admin', name: 'getAuditRecords', path: [owner.workspaceId] }),
      isPaged: true,
    },
  ],
};
/** Queries of a widened bot with fewer records, which has the same partitions. */
const MAX_OF_WIDE = 1_000;

interface Point {
  count: number;
  calls: number;
  units: number;
  ms: number;
}

export async function measure({ emptyTable }: Services): Promise<Section> {
  const points = new Map<string, Point[]>();
  const measureOne = async (kind: Kind, count: number, isWide: boolean) => {
    const queries = QUERIES[kind].filter(({ isOfWide }) => isOfWide || !isWide);
    if (queries.length === 0) return;
    const grown = await grow(kind, count, { isWide });
    process.stderr.write(`${count} × ${kind}${isWide ? ', wide' : ''}\n`);
    for (const query of queries) {
      for (const [suffix, request] of await requestsOf(query, grown)) {
        const name = `${query.name}${suffix}${isWide ? ', wide' : ''}`;
        const point = await pointOf(count, () => callPlatform(grown[query.caller], request));
        process.stderr.write(`${name}: ${JSON.stringify(point)}\n`);
        points.set(name, [...(points.get(name) ?? []), point]);
      }
    }
  };
  for (const kind of KINDS) {
    for (const count of COUNTS) await measureOne(kind, count, false);
    for (const count of COUNTS.filter(count => count <= MAX_OF_WIDE)) await measureOne(kind, count, true);
    // A million records of all kinds would not fit into the memory of one machine.
    await emptyTable();
  }
  const series: Series[] = [...points].map(([name, values]) => ({ name, values }));
  mkdirSync(dirname(PLOT), { recursive: true });
  writeFileSync(PLOT, plot(series));
  return {
    title: 'Growth',
    measures: `Operations with their whole chain, without a gateway, in bots with so many records of the kind; messages are those of one conversation. Each cell: DynamoDB calls · read units · ms (medians of ${ROUNDS}).`,
    columns: ['', ...COUNTS.map(count => count.toLocaleString('en')), '× in time'],
    rows: [...points].map(([name, values]) => [
      name,
      ...COUNTS.map((_, i) => {
        const { [i]: point } = values;
        return point ? `${point.calls} · ${point.units} · ${point.ms.toFixed(1)}` : '';
      }),
      times(values.at(-1)!.ms / values[0]!.ms),
    ]),
    notes: ['Calls and units hold on AWS. Times are those of DynamoDB Local, on a machine that did other work.'],
  };
}

/** Requests the first two pages. */
async function requestsOf(query: Query, grown: GrowingBot): Promise<[string, Request][]> {
  const first = query.request(grown);
  const answer = await callPlatform(grown[query.caller], first);
  const nextToken: string | undefined = answer.meta?.nextToken;
  if (!query.isPaged) return [['', first]];
  if (nextToken === undefined) throw new Error(`${query.name} has one page: more records are needed.`);
  return [
    ['', first],
    [', the next', { ...first, query: { ...first.query, nextToken } }],
  ];
}

async function pointOf(count: number, query: () => Promise<unknown>): Promise<Point> {
  await query();
  const { calls, readUnits } = await metered(query);
  const tookMs: number[] = [];
  const endMs = performance.now() + MAX_MS;
  for (let i = 0; i < ROUNDS && performance.now() < endMs; i++) {
    const startMs = performance.now();
    await query();
    tookMs.push(performance.now() - startMs);
  }
  return { count, calls, units: readUnits, ms: median(tookMs) };
}

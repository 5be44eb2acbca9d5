/** Section `fileLists`: a page of files costs the same with any number of files. */
import { randomUUID } from 'node:crypto';
import type { FileCall } from '#shared/domain/fileRecords/scope.ts';
import { listFiles } from '#shared/domain/files/listFiles.ts';
import { retryConflicts, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { changeFile } from '#shared/storage/dynamodb/files/files.ts';
import { rememberListShards } from '#shared/storage/dynamodb/partitioning/listShards.ts';
import { newFile } from './items.ts';
import { metered } from './metered.ts';
import { type Section, times, verdict } from './report.ts';
import { median } from './statistics.ts';

const COUNTS = [100, 1_000, 10_000];
const AT_ONCE = 16;
const ROUNDS = 30;
const PAGE = 20;
/** One call reads the entries, one the files. */
const BUDGET_CALLS = 2;

export async function measure(): Promise<Section> {
  const rows: { name: string; count: number; calls: number; units: number; ms: number; seconds: number }[] = [];
  for (const count of COUNTS) {
    const botId = randomUUID();
    // Represents a cached bot that was not widened.
    rememberListShards({ id: botId });
    await fill(botId, count);
    const call = { botId, principal: { kind: 'bot', botId } } as unknown as FileCall;
    const page = (after: string | undefined, filters = {}) => listFiles({ ...call, pageStart: after }, filters, PAGE);
    const middle = await walkTo(page, count / 2);
    const startMs = performance.now();
    const seen = await walk(page);
    if (seen.size !== count) throw new Error(`Listed ${seen.size} of ${count} files.`);
    const seconds = (performance.now() - startMs) / 1000;
    for (const [name, list] of [
      ['newest', () => page(middle)],
      ['by size', () => page(undefined, { sortField: 'size' })],
      ['by key', () => page(undefined, { sortField: 'key' })],
      ['of a tag', () => page(undefined, { tags: { half: { in: ['1'] } } })],
    ] as const) {
      const { calls, readUnits } = await metered(list);
      const tookMs: number[] = [];
      for (let i = 0; i < ROUNDS; i++) {
        const roundMs = performance.now();
        await list();
        tookMs.push(performance.now() - roundMs);
      }
      rows.push({ name, count, calls, units: readUnits, ms: median(tookMs), seconds });
    }
  }
  return {
    title: 'Lists of files',
    measures: `One page of ${PAGE} files, in bots with different numbers of files; the newest from the middle of the list. Medians of ${ROUNDS} calls.`,
    columns: ['files', 'list', 'DynamoDB calls', 'read units', 'budget', '', 'ms', '× at 100', 'all pages, s'],
    rows: rows.map(({ name, count, calls, units, ms, seconds }) => {
      const least = rows.find(row => row.name === name)!;
      return [
        count.toLocaleString('en'),
        name,
        String(calls),
        units.toFixed(1),
        `≤ ${BUDGET_CALLS} calls`,
        verdict(calls <= BUDGET_CALLS),
        ms.toFixed(1),
        times(ms / least.ms),
        seconds.toFixed(1),
      ];
    }),
    notes: ['Calls and units hold on AWS. Times are those of DynamoDB Local.'],
  };
}

type Page = (after: string | undefined) => ReturnType<typeof listFiles>;

async function walkTo(page: Page, index: number): Promise<string | undefined> {
  let after: string | undefined;
  for (let seen = 0; seen < index; seen += PAGE) after = (await page(after)).next;
  return after;
}

async function walk(page: Page): Promise<Set<string>> {
  const seen = new Set<string>();
  let after: string | undefined;
  do {
    const { records, next } = await page(after);
    for (const { id } of records) seen.add(id);
    after = next;
  } while (after);
  return seen;
}

/** Writes files through the repository, as the operations do. */
async function fill(botId: string, count: number): Promise<void> {
  let left = count;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left > 0) {
        const i = --left;
        const nowMs = Date.now();
        const key = `file ${i}.txt`;
        const file = newFile(botId, key, { half: String(i % 2) }, nowMs);
        await retryConflicts(async () =>
          write((await changeFile({ id: botId, workspaceId: 'bench' }, undefined, file, nowMs)).writes),
        );
      }
    }),
  );
}

import type { Grouping } from '#shared/domain/tables/query/group.ts';
import { matchRows, yieldIfDue } from '#shared/domain/tables/reading/matchRows.ts';
import { columnIds, valueReader } from '#shared/domain/tables/reading/scan.ts';
import { ScanClock } from '#shared/domain/tables/reading/scanClock.ts';
import type { RowSource } from '#shared/domain/tables/reading/source.ts';
import type { Values } from '#shared/domain/tables/schema/rowValues.ts';
import { groupsInFile } from '#shared/domain/tables/snapshot/findInFile.ts';
import { queryFromSnapshot } from '#shared/domain/tables/snapshot/openFiles.ts';
import { type ScanOptions, visitRows } from '#shared/storage/dynamodb/tables/rowReads.ts';
import { logTimeout } from './logTimeout.ts';
import { lookUpRows } from './lookUpRows.ts';
import { explain, type GroupPlan, type Lookup, type Scan } from './plan.ts';

export async function readGroups(
  source: RowSource,
  plan: GroupPlan,
): Promise<{ rows: Values[]; hasMore: boolean; warnings: string[] }> {
  const { access, offset, limit } = plan;
  const { grouping, warnings } =
    access.by === 'scan' ? await scanGroups(source, plan, access) : await groupLookup(source, plan, access);
  return { ...grouping.rows(offset, limit), warnings: [...warnings, ...cutWarnings(grouping)] };
}

interface Grouped {
  grouping: Grouping;
  warnings: string[];
}

async function groupLookup(source: RowSource, { filter, newGrouping }: GroupPlan, lookup: Lookup): Promise<Grouped> {
  const grouping = newGrouping();
  const valuesOf = valueReader(source.table, new Set([...filter.columns, ...grouping.columns]));
  const rows = await lookUpRows(source, lookup);
  for (const { values } of await matchRows(rows, filter, valuesOf, source.deadlineMs)) grouping.add(values);
  return { grouping, warnings: [] };
}

async function scanGroups(source: RowSource, plan: GroupPlan, scan: Scan): Promise<Grouped> {
  const { bot, table, lastId } = source;
  const { filter, newGrouping } = plan;
  const ofSnapshot = await queryFromSnapshot(source, scan.snapshot === 'load', file => {
    const grouping = newGrouping();
    return groupsInFile(file, table.columns, filter, grouping) ? grouping : undefined;
  });
  if (ofSnapshot) return { grouping: ofSnapshot, warnings: [] };
  const grouping = newGrouping();
  const { from, to } = scan;
  if (from > to) return { grouping, warnings: [] };
  const names = new Set(scan.columns);
  const valuesOf = valueReader(table, names);
  using clock = new ScanClock(source.deadlineMs);
  const { signal } = clock;
  const options: ScanOptions = { from, to, direction: 'asc', columns: columnIds(table.columns, names), signal };
  await visitRows(bot.id, table.id, lastId, options, row => {
    const values = valuesOf(row);
    if (filter.matches(values)) grouping.add(values);
    return clock.tickAfter(yieldIfDue(filter));
  });
  if (clock.isUp) logTimeout(table, explain(plan));
  return { grouping, warnings: clock.warnings() };
}

const cutWarnings = ({ wasCut }: Grouping): string[] =>
  wasCut
    ? ['The groups or their distinct values exceed the memory limit, so the result is incomplete. Use a filter.']
    : [];

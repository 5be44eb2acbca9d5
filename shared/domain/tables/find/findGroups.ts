import type { Filter } from '#shared/domain/tables/query/filter.ts';
import { type Grouping, parseGroup } from '#shared/domain/tables/query/group.ts';
import { matchRows, restIfDue } from '#shared/domain/tables/reading/matchRows.ts';
import { columnIds, idRange, valueReader } from '#shared/domain/tables/reading/scan.ts';
import { ScanClock } from '#shared/domain/tables/reading/scanClock.ts';
import type { RowQuery, RowSource } from '#shared/domain/tables/reading/source.ts';
import type { Values } from '#shared/domain/tables/schema/values.ts';
import { groupsInFile } from '#shared/domain/tables/snapshot/findInFile.ts';
import { queryFromSnapshot } from '#shared/domain/tables/snapshot/openFiles.ts';
import type { Row } from '#shared/storage/dynamodb/tables/row.ts';
import { type ScanOptions, visitRows } from '#shared/storage/dynamodb/tables/rowReads.ts';
import { lookUpRows } from './lookUpRows.ts';

export async function findGroups(
  source: RowSource,
  query: RowQuery,
  filter: Filter,
): Promise<{ rows: Values[]; hasMore: boolean; warnings: string[] }> {
  const { bot, table, lastId } = source;
  const newGrouping = () => parseGroup(query.group, table.columns, query);
  const grouping = newGrouping();
  const candidates = await lookUpRows(source, filter);
  const ofFile = candidates
    ? undefined
    : await queryFromSnapshot(source, true, file => {
        const attempt = newGrouping();
        return groupsInFile(file, table.columns, filter, attempt) ? attempt : undefined;
      });
  if (ofFile) return { ...ofFile.rows(query.offset, query.limit), warnings: cutWarnings(ofFile) };
  const names = new Set([...filter.columns, ...grouping.columns]);
  const valuesOf = valueReader(table, names);
  using clock = new ScanClock(source.deadlineMs);
  const visit = (row: Row) => {
    const values = valuesOf(row);
    if (filter.matches(values)) grouping.add(values);
    return clock.tickAfter(restIfDue(filter));
  };
  const { from, to } = idRange(source, filter);
  if (candidates) {
    for (const { values } of await matchRows(candidates, filter, valuesOf, source.deadlineMs)) grouping.add(values);
  } else if (from <= to) {
    const { signal } = clock;
    const options: ScanOptions = { from, to, direction: 'asc', columns: columnIds(table.columns, names), signal };
    await visitRows(bot.id, table.id, lastId, options, visit);
  }
  const { rows, hasMore } = grouping.rows(query.offset, query.limit);
  return { rows, hasMore, warnings: [...clock.warnings(), ...cutWarnings(grouping)] };
}

const cutWarnings = ({ wasCut }: Grouping): string[] =>
  wasCut
    ? ['The groups or their distinct values exceed the memory limit, so the result is incomplete. Use a filter.']
    : [];

/** Rows of the CSV files of a report. Durations are in seconds, shares from 0 to 1. */
import type { Figures } from './formats.ts';

/** Columns have the names of the API's fields, so that they are the same in every language. */
const COLUMNS: readonly [string, (figures: Figures) => number | undefined][] = [
  ['conversations', each => each.conversations],
  ['handedOver', each => each.handedOver],
  ['containment', each => each.containment],
  ['started', each => each.started],
  ['assigned', each => each.assigned],
  ['ended', each => each.ended],
  ['resolved', each => each.resolved],
  ...(['waiting', 'firstResponse', 'resolution'] as const).flatMap(name =>
    (['count', 'averageSeconds', 'medianSeconds', 'p90Seconds'] as const).map(
      (field): [string, (figures: Figures) => number | undefined] => [
        `${name}.${field}`,
        figures => figures[name][field],
      ],
    ),
  ),
  ['csat.responses', each => each.csat.responses],
  ['csat.average', each => each.csat.average],
  ['csat.satisfied', each => each.csat.satisfied],
  ...[1, 2, 3, 4, 5].map((value): [string, (figures: Figures) => number | undefined] => [
    `csat.${value}`,
    each => each.csat.ratings[value - 1],
  ]),
];

/** @param keysOf the first cells of a row, named by `heads` */
export const csvRows = <Row extends Figures>(
  heads: readonly string[],
  rows: readonly Row[],
  keysOf: (row: Row) => readonly string[],
): string[][] => [
  [...heads, ...COLUMNS.map(([name]) => name)],
  ...rows.map(row => [...keysOf(row), ...COLUMNS.map(([, read]) => String(read(row) ?? ''))]),
];

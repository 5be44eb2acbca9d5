/** Imports no client: `localFiles.ts` is loaded lazily, and a bundle contains all of what it imports. */
import type { Snapshot } from '#shared/storage/dynamodb/tables/snapshots.ts';
import type { RowFile } from './rowFile.ts';

/** The state that a file of rows has, apart from its rows. */
export interface Mark {
  revision: number;
  pending: Map<number, number>;
  atMs: number;
  loggedRows: number;
  /** Rows that are read again for each query, because they may change without a log entry. */
  unsettled: Snapshot['unsettled'];
}

export const markOf = ({ revision, pending, madeAtMs, loggedRows = 0, unsettled }: Snapshot): Mark => ({
  revision,
  pending: new Map(pending),
  atMs: madeAtMs,
  loggedRows,
  unsettled,
});

/** A file with every row as of `revision` or later, except for pending writes. */
export interface Position extends Mark {
  file: RowFile;
}

/** Rows of a table in a local SQLite file, loaded from a snapshot and updated from the log. Needs no durability. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { Column } from '#shared/storage/dynamodb/tables/column.ts';
import type { Row } from '#shared/storage/dynamodb/tables/row.ts';
import { fromSql, sqlName, toSql } from './sqlColumn.ts';

const SYSTEM = ['id', 'created', 'updated', 'version', 'cells', 'pending', 'unindexed'] as const;
const SETTINGS = `PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32768; PRAGMA mmap_size = 536870912;`;
const INDEXED_FROM_ROWS = 2_000;

type Record = readonly SQLInputValue[];

export class RowFile {
  readonly #db: DatabaseSync;
  readonly #columns = new Map<string, Column>();
  readonly #indexes = new Set<string>();
  #insert: StatementSync | undefined;
  #count: number | undefined;
  #uses = new Map<string, number>();

  private constructor(db: DatabaseSync) {
    this.#db = db;
    db.exec(SETTINGS);
  }

  static create(path: string): RowFile {
    const db = new DatabaseSync(path);
    db.exec('PRAGMA page_size = 8192');
    const file = new RowFile(db);
    db.exec(`CREATE TABLE rows (id INTEGER PRIMARY KEY, created, updated, version, cells, pending, unindexed);
      CREATE TABLE columns (id TEXT PRIMARY KEY, definition TEXT)`);
    return file;
  }

  static open(path: string): RowFile {
    const file = new RowFile(new DatabaseSync(path));
    for (const { definition } of file.#db.prepare('SELECT definition FROM columns ORDER BY rowid').all()) {
      const column = JSON.parse(String(definition)) as Column;
      file.#columns.set(column.id, column);
    }
    return file;
  }

  close(): void {
    this.#db.close();
  }

  get count(): number {
    this.#count ??= Number(this.#db.prepare('SELECT count(*) AS count FROM rows').get()!.count);
    return this.#count;
  }

  get indexes(): string[] {
    return [...this.#indexes];
  }

  hasColumn(id: string): boolean {
    return this.#columns.has(id);
  }

  /** Adds missing columns. A column's type never changes: a new type gets a new id. */
  addColumns(columns: readonly Column[]): void {
    for (const { id, name, type, format, nullable } of columns) {
      if (this.#columns.has(id)) continue;
      const column: Column = { id, name, type, nullable, ...(format ? { format } : {}) };
      this.#db.exec(`ALTER TABLE rows ADD COLUMN ${sqlName(id)}`);
      this.#db.prepare('INSERT INTO columns VALUES (?, ?)').run(id, JSON.stringify(column));
      this.#columns.set(id, column);
      this.#insert = undefined;
    }
  }

  /** Upserts and removes rows in one transaction. Ignores values of unknown columns. */
  change(put: readonly Row[], removed: readonly number[]): void {
    this.#insert ??= this.#prepareInsert();
    const remove = this.#db.prepare('DELETE FROM rows WHERE id = ?');
    let difference = 0;
    this.#db.exec('BEGIN');
    for (const id of removed) difference -= Number(remove.run(id).changes);
    for (const row of put) {
      difference += 1 - Number(remove.run(row.id).changes);
      this.#insert.run(...this.#recordOf(row));
    }
    this.#db.exec('COMMIT');
    if (this.#count !== undefined) this.#count += difference;
  }

  noteUse(columnId: string): void {
    const uses = (this.#uses.get(columnId) ?? 0) + 1;
    this.#uses.set(columnId, uses);
    if (uses === 2 && this.count >= INDEXED_FROM_ROWS) this.#addIndex(columnId);
  }

  #addIndex(columnId: string): void {
    if (this.#indexes.has(columnId) || !this.#columns.has(columnId)) return;
    const name = sqlName(columnId);
    this.#db.exec(`CREATE INDEX "on ${name.slice(1)} ON rows (${name})`);
    // Without statistics, SQLite uses even indexes of low selectivity.
    this.#db.exec('PRAGMA analysis_limit = 1000; ANALYZE');
    this.#indexes.add(columnId);
  }

  define(name: string, call: (value: SQLInputValue) => number): void {
    this.#db.function(name, { deterministic: true, directOnly: true }, call as () => number);
  }

  rows(tail: string, values: Record): Row[] {
    const names = [...SYSTEM, ...[...this.#columns.keys()].map(sqlName)];
    const statement = this.#db.prepare(`SELECT ${names.join(', ')} FROM rows ${tail}`);
    statement.setReturnArrays(true);
    return (statement.all(...values) as unknown as unknown[][]).map(record => this.#rowOf(record));
  }

  select(what: string, tail: string, values: Record): (string | number | null)[][] {
    const statement = this.#db.prepare(`SELECT ${what} FROM rows ${tail}`);
    statement.setReturnArrays(true);
    return statement.all(...values) as unknown as (string | number | null)[][];
  }

  *iterate(what: string, tail: string, values: Record): Generator<(string | number | null)[]> {
    const statement = this.#db.prepare(`SELECT ${what} FROM rows ${tail}`);
    statement.setReturnArrays(true);
    yield* statement.iterate(...values) as unknown as Iterable<(string | number | null)[]>;
  }

  #prepareInsert(): StatementSync {
    const names = [...SYSTEM, ...[...this.#columns.keys()].map(sqlName)];
    return this.#db.prepare(`INSERT INTO rows (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`);
  }

  #recordOf(row: Row): SQLInputValue[] {
    return [
      row.id,
      row.createdAtMs,
      row.updatedAtMs,
      row.version,
      Object.keys(row.cells).length > 0 ? JSON.stringify(row.cells) : null,
      row.pending.length > 0 ? row.pending.join(',') : null,
      row.isUnindexed ? 1 : 0,
      ...[...this.#columns.values()].map(column => toSql(column, row.values[column.id])),
    ];
  }

  #rowOf([id, created, updated, version, cells, pending, unindexed, ...rest]: unknown[]): Row {
    const values: Row['values'] = {};
    let i = 0;
    for (const column of this.#columns.keys()) {
      const value = rest[i++] as number | string | null;
      if (value !== null) values[column] = fromSql(value);
    }
    return {
      id: Number(id),
      createdAtMs: Number(created),
      updatedAtMs: Number(updated),
      version: Number(version),
      values,
      cells: cells === null ? {} : JSON.parse(String(cells)),
      pending: pending === null ? [] : String(pending).split(','),
      isUnindexed: unindexed === 1,
    };
  }
}

/** Rules for table names: docs/api/tables.md#tables. */
import { invalidPayload } from '#shared/core/errors.ts';
import { shortened } from './schema/input.ts';
import { TABLE_NAME_LENGTH } from './tableInputs.ts';

const ENDING = 'Table';
/** Disjoint from table ids, so a name is never mistaken for an id. */
const TABLE_NAME = /^[A-Za-z_$][A-Za-z0-9_]*$/;

export function requireTableName(name: string): string {
  if (name.length <= TABLE_NAME_LENGTH && TABLE_NAME.test(name) && name.endsWith(ENDING)) return name;
  const form = 'starts with a letter, _ or $, continues with letters, digits and _, ends with Table';
  const rule = `${form}, and has at most ${TABLE_NAME_LENGTH} characters`;
  throw invalidPayload(`"${shortened(name)}" is not a valid table name: a name ${rule}.`, 'name');
}

/** Returns the first free name for a copy: `ordersTable` → `ordersCopyTable`, `ordersCopy2Table` … */
export function availableCopyName(name: string, taken: ReadonlySet<string>): string {
  const base = name.slice(0, -ENDING.length);
  for (let number = 1; ; number++) {
    const ending = `Copy${number === 1 ? '' : number}${ENDING}`;
    const candidate = `${base.slice(0, TABLE_NAME_LENGTH - ending.length)}${ending}`;
    if (!taken.has(candidate)) return candidate;
  }
}

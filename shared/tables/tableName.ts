/** What tables may be called. */
import { invalidPayload } from '#shared/errors.ts';
import { TABLE_NAME_LENGTH } from './inputs.ts';
import { shortened } from './schema/input.ts';

const ENDING = 'Table';
/** No UUID is like it, so an id is not mistaken for a name. */
const TABLE_NAME = /^[A-Za-z_$][A-Za-z0-9_]*$/;

/** @throws ApiError InvalidPayload when no table can be called so */
export function requireTableName(name: string): string {
  if (name.length <= TABLE_NAME_LENGTH && TABLE_NAME.test(name) && name.endsWith(ENDING)) return name;
  const form = 'begins with a letter, _ or $, goes on with letters, digits and _, ends with Table';
  const rule = `${form}, and has at most ${TABLE_NAME_LENGTH} characters`;
  throw invalidPayload(`"${shortened(name)}" is no name of a table: it ${rule}.`, 'name');
}

/** For a copy: `ordersTable` → `ordersCopyTable`, `ordersCopy2Table` … @param taken what other tables are called */
export function availableCopyName(name: string, taken: ReadonlySet<string>): string {
  const base = name.slice(0, -ENDING.length);
  for (let number = 1; ; number++) {
    const ending = `Copy${number === 1 ? '' : number}${ENDING}`;
    const candidate = `${base.slice(0, TABLE_NAME_LENGTH - ending.length)}${ending}`;
    if (!taken.has(candidate)) return candidate;
  }
}

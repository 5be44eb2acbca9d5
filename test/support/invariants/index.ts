/** What must hold of the whole table and object store once all background work is done, whatever failed before. */
import { takeDump } from './dump.ts';
import { entryFaults } from './entries.ts';
import { totalFaults } from './totals.ts';
import { workFaults } from './work.ts';

export async function invariantFaults(): Promise<string[]> {
  const dump = await takeDump();
  return [...entryFaults(dump), ...totalFaults(dump), ...workFaults(dump)];
}

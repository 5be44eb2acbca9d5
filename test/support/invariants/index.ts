/** Checks invariants of the table and object store after all background work, despite failures. */
import { takeDump } from './dump.ts';
import { entryFaults } from './entries.ts';
import { totalFaults } from './totals.ts';
import { workFaults } from './work.ts';

export async function invariantFaults(): Promise<string[]> {
  const dump = await takeDump();
  return [...entryFaults(dump), ...totalFaults(dump), ...workFaults(dump)];
}

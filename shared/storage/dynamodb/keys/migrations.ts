/**
 * Keys of migrations, which span tenants.
 *
 * | access pattern       | index | pk         | sk       |
 * |----------------------|-------|------------|----------|
 * | migrations by number | table | migrations | <number> |
 */
import type { Key, Partitions } from './table.ts';

export const migrationPartitions = { migrations: ['migrations'] } as const satisfies Partitions;

export const migrationsPk = 'migrations';

const DIGITS = 6;

export const migrationKey = (number: number): Key => ({ pk: migrationsPk, sk: String(number).padStart(DIGITS, '0') });

/**
 * All migrations, in order. What a version stores, every later one reads: an entry is needed only to drop an old form.
 */
import type { Migration } from './migration.ts';

export const MIGRATIONS: readonly Migration[] = [];

/** All migrations, in order. Every version reads older forms. Entries drop them, or add derived items. */
import { indexUsersByTerm } from './indexUsersByTerm.ts';
import type { Migration } from './migration.ts';

export const MIGRATIONS: readonly Migration[] = [indexUsersByTerm];

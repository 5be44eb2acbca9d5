/** All migrations, in order. Every version reads older forms, so an entry is only needed to drop one, or to add derived items. */
import { indexUsersByTerm } from './indexUsersByTerm.ts';
import type { Migration } from './migration.ts';

export const MIGRATIONS: readonly Migration[] = [indexUsersByTerm];

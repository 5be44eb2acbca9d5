/** All migrations, in order. Every version reads older forms, so an entry is only needed to drop one. */
import type { Migration } from './migration.ts';

export const MIGRATIONS: readonly Migration[] = [];

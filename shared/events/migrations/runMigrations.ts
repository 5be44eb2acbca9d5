import { clock } from '#shared/core/clock.ts';
import { errorFields, log } from '#shared/core/log.ts';
import {
  listMigrationProgress,
  type MigrationProgress,
  saveMigrationProgress,
} from '#shared/storage/dynamodb/maintenance/migrations.ts';
import type { Migration } from './migration.ts';

/** `none`: nothing to do. `other`: another run is active. */
export type MigrationOutcome = 'none' | 'done' | 'timeUp' | 'other' | 'failed';

/** Runs pending migrations in order, each from its last cursor. */
export async function runMigrations(
  migrations: readonly Migration[],
  isTimeLeft: () => boolean,
): Promise<{ outcome: MigrationOutcome; changed: number }> {
  requireOrder(migrations);
  if (migrations.length === 0) return { outcome: 'none', changed: 0 };
  const known = new Map((await listMigrationProgress()).map(each => [each.number, each]));
  const open = migrations.filter(({ number }) => known.get(number)?.doneAtMs === undefined);
  let changed = 0;
  for (const migration of open) {
    const result = await runOne(migration, known.get(migration.number), isTimeLeft);
    changed += result.changed;
    if (result.outcome !== 'done') return { outcome: result.outcome, changed };
  }
  return { outcome: open.length === 0 ? 'none' : 'done', changed };
}

async function runOne(
  migration: Migration,
  found: MigrationProgress | undefined,
  isTimeLeft: () => boolean,
): Promise<{ outcome: MigrationOutcome; changed: number }> {
  const { number, name } = migration;
  let changed = 0;
  let before = found;
  while (isTimeLeft()) {
    const nowMs = clock.now();
    const base = before ?? { number, name, changed: 0, steps: 0, startedAtMs: nowMs };
    const { version: _, error: __, ...stored } = { version: 0, ...base } as MigrationProgress;
    const outcome = await attempt(migration, before?.cursor);
    const { cursor: ___, ...rest } = stored;
    const next: Omit<MigrationProgress, 'version'> =
      'error' in outcome
        ? { ...stored, updatedAtMs: nowMs, error: outcome.error }
        : {
            ...rest,
            ...(outcome.next === undefined ? { doneAtMs: nowMs } : { cursor: outcome.next }),
            changed: stored.changed + outcome.changed,
            steps: stored.steps + 1,
            updatedAtMs: nowMs,
          };
    const saved = await saveMigrationProgress(next, before);
    if (!saved) return { outcome: 'other', changed };
    if ('error' in outcome) return { outcome: 'failed', changed };
    changed += outcome.changed;
    if (saved.doneAtMs !== undefined) return { outcome: 'done', changed };
    before = saved;
  }
  return { outcome: 'timeUp', changed };
}

/** Returns the error of a failed step, which the next run retries. */
async function attempt({ number, name, step }: Migration, cursor: string | undefined) {
  try {
    return await step(cursor);
  } catch (error) {
    log.error('A migration step failed. The next run retries it.', { number, name, error: errorFields(error) });
    return { error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }
}

function requireOrder(migrations: readonly Migration[]): void {
  migrations.forEach(({ number, name }, i) => {
    if (number !== i + 1) throw new Error(`The migration ${name} has the number ${number}. It must be ${i + 1}.`);
  });
}

/** `npm run migrations`: prints the state of this version's migrations, which a schedule runs every five minutes. */

import { runCommand, targetOptions, useTarget } from '#infra/operator/target/target.ts';
import { parseCommand } from '#infra/settings/commandLine.ts';
import { MIGRATIONS } from '#shared/events/migrations/migrationRegistry.ts';
import { listMigrationProgress, type MigrationProgress } from '#shared/storage/dynamodb/maintenance/migrations.ts';

const USAGE = "npm run migrations [-- --stack Parley | --local]\\nPrints the state of this version's migrations.";

await runCommand(async () => {
  const { values } = parseCommand(USAGE, { options: targetOptions });
  await useTarget(values);
  const progress = new Map((await listMigrationProgress()).map(each => [each.number, each]));
  const known = MIGRATIONS.map(({ number, name }) => ({ number, name }));
  // Progress of a later version remains after a rollback.
  const others = [...progress.values()].filter(({ number }) => !known.some(each => each.number === number));
  const lines = [...known, ...others].map(
    ({ number, name }) => `${String(number).padStart(4)}  ${name.padEnd(40)}  ${stateOf(progress.get(number))}`,
  );
  process.stdout.write(lines.length === 0 ? 'This version needs no migration.\n' : `${lines.join('\n')}\n`);
});

function stateOf(progress: MigrationProgress | undefined): string {
  if (!progress) return 'pending';
  const { changed, steps, doneAtMs, updatedAtMs, error } = progress;
  const work = `${changed} items in ${steps} steps`;
  if (doneAtMs !== undefined) return `done ${new Date(doneAtMs).toISOString()}, ${work}`;
  return `${error ? `failed: ${error}` : 'runs'}, ${work}, last ${new Date(updatedAtMs).toISOString()}`;
}

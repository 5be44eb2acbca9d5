/** `npm run export -- --workspace wkspace_… --to <dir>`: exports a workspace. See docs/export.md. */

import { mkdir, readdir } from 'node:fs/promises';
import { useSealingKey } from '#infra/operator/rotation/useSealingKey.ts';
import { runCommand, targetOptions, UsageError, useTarget } from '#infra/operator/target/target.ts';
import { directorySink } from '#infra/operator/transfer/exportDirectory.ts';
import { parseCommand } from '#infra/settings/commandLine.ts';
import { clock } from '#shared/core/clock.ts';
import { exportParts, manifestOf, startOf } from '#shared/domain/transfer/exportWorkspace.ts';
import { listTenants } from '#shared/storage/dynamodb/tenants/tenants.ts';
import { findWorkspace } from '#shared/storage/dynamodb/workspace/workspaces.ts';
import { secretsOfExport } from './transferSecrets.ts';

const USAGE = 'npm run export -- --workspace wkspace_… --to <directory> [--without-secrets] [--stack Parley | --local]';

await runCommand(async () => {
  const { values } = parseCommand(USAGE, {
    options: {
      ...targetOptions,
      workspace: { type: 'string' },
      to: { type: 'string' },
      'without-secrets': { type: 'boolean', default: false },
    },
  });
  const { workspace: workspaceId, to: directory, 'without-secrets': isWithout } = values;
  if (!workspaceId || !directory) throw new UsageError(USAGE);
  const { secrets, noted } = secretsOfExport(workspaceId, isWithout);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if ((await readdir(directory)).length > 0)
    throw new UsageError(`${directory} is not empty. Choose another directory.`);
  await useTarget(values);
  if (!isWithout) await useSealingKey(values);
  const workspace = await findWorkspace(workspaceId);
  if (!workspace) throw new UsageError(`Workspace ${workspaceId} was not found. Check --workspace.`);
  if (workspace.deletedAtMs !== undefined) throw new UsageError(`Workspace ${workspaceId} is being deleted.`);

  const sink = directorySink(directory);
  let progress = startOf(await listTenants(workspaceId));
  for await (progress of exportParts(workspaceId, progress, secrets, sink)) {
    process.stderr.write(
      `${progress.tenant} of ${progress.tenants.length} tenants, ${linesOf(progress.kinds)} lines\n`,
    );
  }
  await sink.manifest(manifestOf(workspaceId, progress, noted, clock.now()));
  process.stdout.write(
    [
      `lines      ${linesOf(progress.kinds)}`,
      `objects    ${progress.objects}`,
      ...progress.missingObjects.map(key => `missing    ${key}`),
      ...progress.references.map(
        id => `elsewhere  ${id} belongs to another workspace. Publish it in the other installation first.`,
      ),
      ...(isWithout
        ? ['secrets    omitted. docs/export.md#without-secrets lists what to set again after the import']
        : []),
      `written to ${directory}`,
      '',
    ].join('\n'),
  );
});

function linesOf(kinds: Record<string, number>): number {
  return Object.values(kinds).reduce((sum, count) => sum + count, 0);
}

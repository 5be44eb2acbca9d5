/**
 * `npm run reindex`: indexes files and rows for the current embedder, and shows the progress. See
 * docs/operations/search-and-models.md#index-again.
 */

import { runCommand, targetOptions, UsageError, useTarget } from '#infra/operator/target/target.ts';
import { parseCommand } from '#infra/settings/commandLine.ts';
import { clock } from '#shared/core/clock.ts';
import { requestReindexing } from '#shared/domain/transfer/requestReindexing.ts';
import { findReindexing, listAllWorkspaces, type Reindexing } from '#shared/storage/dynamodb/tenants/reindexings.ts';
import { findGauge } from '#shared/storage/dynamodb/workspace/usage.ts';
import { findWorkspace } from '#shared/storage/dynamodb/workspace/workspaces.ts';

const USAGE = `npm run reindex                        indexes content of other embedders, or resumes
npm run reindex -- --all               indexes everything, for vectors that were lost
npm run reindex -- --workspace <id>    indexes a workspace
with [--stack Parley | --local]`;

const POLL_MS = 1_000;

const say = (text: string) => process.stdout.write(`${text}\n`);

async function workspacesOf(given: string | undefined): Promise<string[]> {
  if (given === undefined) {
    const ids: string[] = [];
    for await (const id of listAllWorkspaces()) ids.push(id);
    return ids;
  }
  if (!(await findWorkspace(given))) throw new UsageError(`Workspace ${given} was not found. Check --workspace.`);
  return [given];
}

async function lineOf({ workspaceId, files, rows, doneAtMs }: Reindexing): Promise<string> {
  const all = await findGauge(workspaceId, 'indexed_file_count');
  return `${workspaceId}  files: ${files} of up to ${all}, rows: ${rows}, ${doneAtMs === undefined ? 'in progress' : 'done'}`;
}

/** Prints progress until every workspace is done. The job does not depend on it. */
async function watchProgress(workspaceIds: readonly string[]): Promise<void> {
  const open = new Map(workspaceIds.map(id => [id, '']));
  while (open.size > 0) {
    for (const [id, shown] of open) {
      const state = await findReindexing(id);
      const text = state ? await lineOf(state) : `${id}  was deleted`;
      if (text !== shown) say(text);
      if (!state || state.doneAtMs !== undefined) open.delete(id);
      else open.set(id, text);
    }
    if (open.size > 0) await clock.sleep(POLL_MS);
  }
}

await runCommand(async () => {
  const { values } = parseCommand(USAGE, {
    options: { ...targetOptions, workspace: { type: 'string' }, all: { type: 'boolean', default: false } },
  });
  if (values.workspace === '') throw new UsageError(USAGE);
  await useTarget(values);
  const workspaceIds = await workspacesOf(values.workspace);
  for (const id of workspaceIds) await requestReindexing(id, values.all);
  say(`Indexing ${workspaceIds.length} workspaces. The work continues if you stop this command.`);
  await watchProgress(workspaceIds);
});

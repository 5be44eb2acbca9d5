/** `npm run quota -- --workspace wkspace_… --type bot_count --value 10`: sets or lifts a workspace's quota. */

import { runCommand, targetOptions, UsageError, useTarget } from '#infra/operator/target/target.ts';
import { parseCommand } from '#infra/settings/commandLine.ts';
import { QUOTA_TYPES } from '#infra/settings/parseQuotas.ts';
import { type Bot, type ListPosition, listBots } from '#shared/storage/dynamodb/bots/bots.ts';
import { reopenWebhooks } from '#shared/storage/dynamodb/chat/messageQuota.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { setQuota, type UsageType } from '#shared/storage/dynamodb/workspace/usage.ts';
import { findWorkspace } from '#shared/storage/dynamodb/workspace/workspaces.ts';

const USAGE = `npm run quota -- --workspace wkspace_… --type <type> (--value 10 | --off) [--stack Parley | --local]\nTypes: ${QUOTA_TYPES.join(', ')}`;

async function allBots(workspaceId: string): Promise<Bot[]> {
  const all: Bot[] = [];
  let after: ListPosition | undefined;
  do {
    const page = await listBots(workspaceId, { field: 'createdAt', direction: 'asc' }, { after, limit: 100 });
    all.push(...page.bots.map(({ bot }) => bot));
    after = page.isEnd ? undefined : page.bots.at(-1)!.position;
  } while (after);
  return all;
}

await runCommand(async () => {
  const { values } = parseCommand(USAGE, {
    options: {
      ...targetOptions,
      workspace: { type: 'string' },
      type: { type: 'string' },
      value: { type: 'string' },
      off: { type: 'boolean', default: false },
    },
  });
  const { workspace = '', type, value, off } = values;
  const quota = off ? undefined : Number(value);
  const isValid = quota === undefined || (/^\d+$/.test(value ?? '') && Number.isSafeInteger(quota));
  if (!QUOTA_TYPES.includes(type as UsageType) || !isValid) throw new UsageError(USAGE);
  await useTarget(values);
  if (!(await findWorkspace(workspace)))
    throw new UsageError(`Workspace ${workspace} was not found. Check --workspace.`);
  await write([setQuota(workspace, type as UsageType, quota)]);
  if (type === 'invocation_calls') await reopenWebhooks(await allBots(workspace));
  process.stdout.write(`${type} of ${workspace}: ${quota ?? 'unlimited'}\n`);
});

/** `npm run quota -- --workspace wkspace_… --type bot_count --value 10`: how much a workspace may have of something. */
import { parseArgs } from 'node:util';
import { isLevel, setQuota, USAGE_TYPES, type UsageType } from '../../shared/table/usage.ts';
import { findWorkspace } from '../../shared/table/workspaces.ts';
import { write } from '../../shared/table/write.ts';
import { Misused, runCommand, targetOptions, useTarget } from './target.ts';

const LEVELS = USAGE_TYPES.filter(isLevel);
const USAGE = `npm run quota -- --workspace wkspace_… --type <type> (--value 10 | --off) [--stack Parley | --local]\nTypes: ${LEVELS.join(', ')}`;

await runCommand(async () => {
  const { values } = parseArgs({
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
  const isUsable = quota === undefined || (/^\d+$/.test(value ?? '') && Number.isSafeInteger(quota));
  if (!LEVELS.includes(type as UsageType) || !isUsable) throw new Misused(USAGE);
  await useTarget(values);
  if (!(await findWorkspace(workspace))) throw new Misused(`There is no workspace ${workspace}.`);
  await write([setQuota(workspace, type as UsageType, quota)]);
  process.stdout.write(`${type} of ${workspace}: ${quota ?? 'as much as it likes'}\n`);
});

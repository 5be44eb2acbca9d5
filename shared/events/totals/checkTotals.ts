import { isDeepStrictEqual } from 'node:util';
import { log } from '#shared/core/log.ts';
import { measured } from '#shared/core/metrics.ts';
import { findFileTotals } from '#shared/storage/dynamodb/bots/botTotals.ts';
import { listFileIds } from '#shared/storage/dynamodb/cleanup/files.ts';
import { BOT_SCOPE, type File, totalsChange } from '#shared/storage/dynamodb/files/file.ts';
import { listScopes } from '#shared/storage/dynamodb/files/fileScopes.ts';
import { findFiles } from '#shared/storage/dynamodb/files/files.ts';
import { enqueueTotals, type TotalsJob } from '#shared/storage/queues/totalsJobs.ts';

/** Limit on the cost of a check, about one read unit per file. */
const FILES_LIMIT = 5_000;
const READ_TOGETHER = 100;

export type TotalsOutcome = 'right' | 'wrong' | 'recheck' | 'busy' | 'ended' | 'tooMany';

/** Compares a bot's file totals with its files. Totals lag, so a difference must be the same in two checks. */
export async function checkTotals({ botId, seen }: TotalsJob): Promise<TotalsOutcome> {
  const before = await findFileTotals(botId);
  if (!before) return 'ended';
  const counted = await countFiles(botId);
  if (!counted) return 'tooMany';
  if (!isDeepStrictEqual(await findFileTotals(botId), before)) return 'busy';
  const names = Object.keys(counted) as (keyof Counted)[];
  const difference = Object.fromEntries(names.map(name => [name, before[name] - counted[name]]));
  if (Object.values(difference).every(each => each === 0)) return 'right';
  if (!isDeepStrictEqual(difference, seen)) {
    await enqueueTotals({ botId, seen: difference });
    return 'recheck';
  }
  log.error('A total was wrong.', { botId, totals: before, counted, ...measured({ totalsWrong: 1 }) });
  return 'wrong';
}

type Counted = ReturnType<typeof totalsChange>;

async function countFiles(botId: string): Promise<Counted | undefined> {
  const sum: Counted = totalsChange(undefined, undefined);
  let ids: string[] = [];
  let count = 0;
  const add = async () => {
    for (const file of await findFiles(botId, ids)) addTo(sum, file);
    ids = [];
  };
  for (const scope of new Set([BOT_SCOPE, ...(await listScopes(botId))])) {
    for await (const id of listFileIds(botId, scope)) {
      if (++count > FILES_LIMIT) return undefined;
      ids.push(id);
      if (ids.length === READ_TOGETHER) await add();
    }
  }
  await add();
  return sum;
}

function addTo(sum: Counted, file: File | undefined): void {
  const share = totalsChange(undefined, file);
  for (const name of Object.keys(sum) as (keyof Counted)[]) sum[name] += share[name];
}

import { UsageError } from '#infra/operator/target/target.ts';
import { DAY_MS, dayOf } from '#shared/core/calendar.ts';
import { listAnalytics } from '#shared/storage/dynamodb/bots/analytics.ts';
import { type ListPosition, listBots } from '#shared/storage/dynamodb/bots/bots.ts';
import { listChanges, type UsageType, valueIn } from '#shared/storage/dynamodb/workspace/usage.ts';
import { findWorkspace } from '#shared/storage/dynamodb/workspace/workspaces.ts';
import { type Load, parseLoad } from './costLoad.ts';

export interface WorkspaceLoad {
  load: Load;
  modelUsd: number;
}

const PAGE_BOTS = 100;
/** `ai_spend` counts billionths of a dollar. */
const BILLIONTH = 1e-9;

/**
 * Returns a workspace's load in a month. Messages, users and bots are counted; files and rows are the growth since the
 * previous month. Unrecorded values, such as reads and open streams, come from `given`.
 * @param month in the form `2026-11`
 * @throws UsageError when the workspace does not exist
 */
export async function workspaceLoad(workspaceId: string, month: string, given: Load): Promise<WorkspaceLoad> {
  if (!(await findWorkspace(workspaceId)))
    throw new UsageError(`Workspace ${workspaceId} was not found. Check --workspace.`);
  const [bots, stored, indexed, rows, spent] = await Promise.all([
    botsOf(workspaceId),
    grown(workspaceId, 'storage_count', month),
    grown(workspaceId, 'indexed_file_count', month),
    grown(workspaceId, 'table_row_count', month),
    listChanges(workspaceId, 'ai_spend', [month]),
  ]);
  const counts = await talkOf(bots, month);
  const fallback = parseLoad({});
  const files = Math.max(indexed, Math.ceil(stored / (fallback.fileKb * 1000)));
  return {
    load: {
      ...given,
      ...counts,
      bots: bots.length,
      rows,
      files,
      indexed,
      fileKb: files === 0 ? 0 : stored / 1000 / files,
      reads: given.reads || counts.messages,
      searches: given.searches || (indexed > 0 ? counts.messages : 0),
    },
    modelUsd: valueIn('ai_spend', month, spent) * BILLIONTH,
  };
}

/** Returns the growth of a gauge since the previous month, at least 0. */
async function grown(workspaceId: string, type: UsageType, month: string): Promise<number> {
  const changes = await listChanges(workspaceId, type, [month]);
  const before = changes.filter(each => each.month < month).reduce((sum, { change }) => sum + change, 0);
  return Math.max(0, valueIn(type, month, changes) - before);
}

async function botsOf(workspaceId: string): Promise<string[]> {
  const ids: string[] = [];
  let after: ListPosition | undefined;
  do {
    const order = { field: 'createdAt', direction: 'asc' } as const;
    const page = await listBots(workspaceId, order, { after, limit: PAGE_BOTS });
    ids.push(...page.bots.map(({ bot }) => bot.id));
    after = page.isEnd ? undefined : page.bots.at(-1)!.position;
  } while (after);
  return ids;
}

async function talkOf(bots: readonly string[], month: string): Promise<Pick<Load, 'messages' | 'conversations'>> {
  const [year, number] = month.split('-').map(Number) as [number, number];
  const last = dayOf(Date.UTC(year, number, 1) - DAY_MS);
  let [messages, conversations] = [0, 0];
  for (const botId of bots) {
    for (const day of (await listAnalytics(botId, `${month}-01`, last)).values()) {
      messages += day.userMessages ?? 0;
      conversations += day.newUsers ?? 0;
    }
  }
  return { messages, conversations };
}

import { clock } from '#shared/core/clock.ts';
import { reconcileHandoff } from '#shared/domain/botChat/handoffs/reconcile.ts';
import { type ListPosition, listBots } from '#shared/storage/dynamodb/bots/bots.ts';
import { listHandoffEntries, readHandoffs } from '#shared/storage/dynamodb/chat/handoffLists.ts';
import type { ListedStatus } from '#shared/storage/dynamodb/chat/handoffs.ts';
import { OutOfTime, type Progress } from '#shared/storage/dynamodb/engine/partitionCleanup.ts';
import { END, inChunks } from '#shared/storage/dynamodb/lists/lists.ts';

const EVERYTHING = { direction: 'asc' as const, first: '', last: END };
const OPEN: readonly ListedStatus[] = ['waiting', 'served', 'snoozed'];
const ASSIGNED: readonly ListedStatus[] = ['served', 'snoozed'];
const OLDEST_FIRST = { field: 'createdAt', direction: 'asc' } as const;
const PAGE = 25;

/** Checks all open handoffs of a bot. @throws OutOfTime */
export async function reconcileBotHandoffs(botId: string, progress: Progress): Promise<void> {
  for (const status of OPEN) {
    if (!(await reconcileListed(botId, { status }, progress))) throw new OutOfTime();
  }
}

/**
 * Checks the handoffs of a member, in all bots of the workspace.
 * @returns the last completed bot if the time was up before the end
 */
export async function reconcileMemberHandoffs(
  workspaceId: string,
  accountId: string,
  from: ListPosition | undefined,
  progress: Progress,
): Promise<{ isDone: boolean; after: ListPosition | undefined }> {
  let after = from;
  for (let isEnd = false; !isEnd; ) {
    const page = await listBots(workspaceId, OLDEST_FIRST, { after, limit: PAGE });
    isEnd = page.isEnd || page.bots.length === 0;
    for (const { bot, position } of page.bots) {
      for (const status of ASSIGNED) {
        const isDone = await reconcileListed(bot.id, { status, memberId: accountId }, progress);
        if (!isDone) return { isDone, after };
      }
      after = position;
    }
  }
  return { isDone: true, after };
}

/** Returns false if the time was up before the end. */
async function reconcileListed(
  botId: string,
  filters: { status: ListedStatus; memberId?: string },
  progress: Progress,
): Promise<boolean> {
  for await (const page of inChunks(listHandoffEntries([botId], [filters], EVERYTHING), PAGE)) {
    for (const { id } of await readHandoffs(page)) {
      if (!progress.isTimeLeft()) return false;
      await reconcileHandoff(botId, id, clock.now());
    }
  }
  return progress.isTimeLeft();
}

/** Corrects the open conversations of agents. */
import { inboxBots } from '#shared/domain/botChat/handoffs/queryInbox.ts';
import { allAgentRecords, forgetOpen, parseOpenEntry } from '#shared/storage/dynamodb/agents/agents.ts';
import { listHandoffEntries, readHandoffsOfBots } from '#shared/storage/dynamodb/chat/handoffLists.ts';
import { assigneeOf } from '#shared/storage/dynamodb/chat/handoffs.ts';
import { END, inChunks } from '#shared/storage/dynamodb/lists/lists.ts';
import { trackAssigned } from './trackOpen.ts';

const OLDEST_FIRST = { direction: 'asc' as const, first: '', last: END };
const PAGE = 25;
/** Assigned conversations that are counted again, which takes a read and a transaction for each missing one. */
const MAX_COUNTED = 1_000;

/** Adds conversations that were assigned before their number was recorded, of the bots of the inbox. */
export async function recountOpen(workspaceId: string): Promise<void> {
  const { botIds } = await inboxBots({ workspaceId });
  let counted = 0;
  for await (const page of inChunks(listHandoffEntries(botIds, [{ status: 'served' }], OLDEST_FIRST), PAGE)) {
    for (const { botId, handoff } of await readHandoffsOfBots(page)) {
      const accountId = assigneeOf(handoff);
      if (accountId !== undefined) await trackAssigned({ workspaceId, botId, handoffId: handoff.id, accountId });
    }
    counted += page.length;
    if (counted >= MAX_COUNTED) return;
  }
}

/** Removes the conversations of a bot that was deleted or transferred. */
export async function forgetBot(workspaceId: string, botId: string): Promise<void> {
  for await (const { accountId, open } of allAgentRecords(workspaceId)) {
    const ofBot = open.filter(entry => parseOpenEntry(entry).botId === botId);
    if (ofBot.length > 0) await forgetOpen(workspaceId, accountId, ofBot);
  }
}

import { trackAssigned, trackEnded } from '#shared/domain/botChat/agents/trackOpen.ts';
import { findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { assigneeOf, parseHandoff } from '#shared/storage/dynamodb/chat/handoffs.ts';
import type { StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';

/**
 * Records the open handoffs of an agent when the assignee changes, or when the handoff ends or is removed. Other
 * changes cost nothing. Idempotent.
 */
export async function trackOpenHandoffs({ event, botId, before, after }: StreamChange): Promise<void> {
  const [former, handoff] = [
    event === 'INSERT' ? undefined : parseHandoff(before),
    event === 'REMOVE' ? undefined : parseHandoff(after),
  ];
  const [ended, assigned] = [assigneeOf(former), assigneeOf(handoff)];
  if (ended === assigned) return;
  const bot = await findBot(botId);
  // The handoffs of a deleted bot are forgotten together (`requestAssignments.ts`).
  if (!bot || bot.deletedAtMs !== undefined) return;
  const of = { workspaceId: bot.workspaceId, botId, handoffId: (handoff ?? former)!.id };
  if (ended !== undefined) await trackEnded({ ...of, accountId: ended });
  if (assigned !== undefined) await trackAssigned({ ...of, accountId: assigned });
}

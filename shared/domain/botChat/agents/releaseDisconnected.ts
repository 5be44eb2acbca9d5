/** Returns the conversations of a disconnected agent to the queue (docs/api/botChat.md#automatic-assignment). */
import { clock } from '#shared/core/clock.ts';
import { systemCall } from '#shared/domain/botChat/handoffs/handoffMembers.ts';
import { release } from '#shared/domain/botChat/handoffs/transitions.ts';
import {
  type Agent,
  allAgentRecords,
  findAgentRecord,
  parseOpenEntry,
  recordDisconnected,
  recordRelease,
  undoDisconnected,
} from '#shared/storage/dynamodb/agents/agents.ts';
import { findInboxSettings } from '#shared/storage/dynamodb/agents/inboxSettings.ts';
import { findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { assigneeOf, findHandoff } from '#shared/storage/dynamodb/chat/handoffs.ts';
import { findConnectedMembers } from '#shared/storage/dynamodb/connections/connectedMembers.ts';
import { retryConflicts, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { enqueueAssignment } from '#shared/storage/queues/assignmentJobs.ts';
import { MAX_DELAY_SECONDS } from '#shared/storage/queues/queueSettings.ts';

class Connected extends Error {
  override readonly name = 'Connected';
}

/**
 * Records that a connection of the agent was closed, and plans the release. Other connections, such as that of the page
 * after a reload, prevent both.
 */
export async function planRelease(workspaceId: string, accountId: string): Promise<void> {
  const isConnected = async () => (await findConnectedMembers(workspaceId, clock.now())).has(accountId);
  if (await isConnected()) return;
  const disconnectedAtMs = await recordDisconnected(workspaceId, accountId, clock.now());
  if (disconnectedAtMs === undefined) return;
  // A connection that was opened between the read and the write has cleared nothing.
  if (await isConnected()) return void (await undoDisconnected(workspaceId, accountId, disconnectedAtMs));
  const { releaseAfterMinutes } = await findInboxSettings(workspaceId);
  if (releaseAfterMinutes === null) return;
  await enqueueRelease({ workspaceId, accountId, disconnectedAtMs, releaseAfterMinutes });
}

/** Plans the releases of all disconnected agents after a change of the settings. */
export async function planReleases(workspaceId: string): Promise<void> {
  const { releaseAfterMinutes } = await findInboxSettings(workspaceId);
  if (releaseAfterMinutes === null) return;
  for await (const { accountId, disconnectedAtMs, open } of allAgentRecords(workspaceId)) {
    if (disconnectedAtMs === undefined || open.length === 0) continue;
    await enqueueRelease({ workspaceId, accountId, disconnectedAtMs, releaseAfterMinutes });
  }
}

interface Release {
  workspaceId: string;
  accountId: string;
  disconnectedAtMs: number;
}

function enqueueRelease({ releaseAfterMinutes, ...job }: Release & { releaseAfterMinutes: number }): Promise<void> {
  const pauseMs = job.disconnectedAtMs + releaseAfterMinutes * 60_000 - clock.now();
  return enqueueAssignment(
    { kind: 'release', ...job },
    Math.min(MAX_DELAY_SECONDS, Math.max(0, Math.ceil(pauseMs / 1000))),
  );
}

/** Releases the open conversations if the agent has been disconnected since the given time. @returns their number */
export async function releaseDisconnected({ workspaceId, accountId, disconnectedAtMs }: Release): Promise<number> {
  const [{ releaseAfterMinutes }, agent] = await Promise.all([
    findInboxSettings(workspaceId),
    findAgentRecord(workspaceId, accountId),
  ]);
  if (releaseAfterMinutes === null || agent?.disconnectedAtMs !== disconnectedAtMs) return 0;
  if (clock.now() < disconnectedAtMs + releaseAfterMinutes * 60_000) {
    await enqueueRelease({ workspaceId, accountId, disconnectedAtMs, releaseAfterMinutes });
    return 0;
  }
  if ((await findConnectedMembers(workspaceId, clock.now())).has(accountId)) return 0;
  let released = 0;
  try {
    for (const entry of agent.open)
      released += Number(await retryConflicts(() => releaseOne(workspaceId, agent, entry)));
  } catch (error) {
    if (!(error instanceof Connected)) throw error;
  }
  return released;
}

async function releaseOne(workspaceId: string, agent: Agent, entry: string): Promise<boolean> {
  const { botId, handoffId } = parseOpenEntry(entry);
  const [bot, found] = await Promise.all([findBot(botId), findHandoff(botId, handoffId)]);
  if (!bot || bot.deletedAtMs !== undefined || assigneeOf(found?.handoff) !== agent.accountId) return false;
  const { writes } = await release(systemCall(bot, clock.now()), found!.handoff, found!.conversation);
  await write([...writes, recordRelease(workspaceId, agent, entry, () => new Connected())]);
  return true;
}

/**
 * Automatic assignment: assigns the oldest conversations of the queue to available agents, round-robin
 * (docs/api/botChat.md#automatic-assignment). Each assignment is one transaction with the agent's record, so concurrent
 * runs neither exceed the limit nor assign a conversation twice, and a member who takes it at the same moment wins.
 */
import { clock } from '#shared/core/clock.ts';
import { ApiError } from '#shared/core/errors.ts';
import { newPosition } from '#shared/core/ids.ts';
import { errorFields, log } from '#shared/core/log.ts';
import { systemCall } from '#shared/domain/botChat/handoffs/handoffMembers.ts';
import { inboxBots } from '#shared/domain/botChat/handoffs/queryInbox.ts';
import { assignTo } from '#shared/domain/botChat/handoffs/transitions.ts';
import { type Agent, openEntry, recordAssignment } from '#shared/storage/dynamodb/agents/agents.ts';
import { findInboxSettings } from '#shared/storage/dynamodb/agents/inboxSettings.ts';
import { findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { listHandoffEntries, readHandoffsOfBots } from '#shared/storage/dynamodb/chat/handoffLists.ts';
import { findHandoff } from '#shared/storage/dynamodb/chat/handoffs.ts';
import { WriteConflict, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { END, inChunks } from '#shared/storage/dynamodb/lists/lists.ts';
import { RoundRobin } from './roundRobin.ts';

/** Assignments of one run. Each takes about six reads and one transaction. Another job continues. */
const MAX_ASSIGNED = 25;
/** Entries of the queue that one run reads, including those that nobody may receive. */
const MAX_READ = 500;
const PAGE = 25;
/** Attempts of one assignment. Concurrent runs, messages and members change the same records. */
const ATTEMPTS = 3;

const OLDEST_FIRST = { direction: 'asc' as const, first: '', last: END };

interface Waiting {
  botId: string;
  handoffId: string;
}

/**
 * @param recent a new entry of the queue, which its index may not list yet
 * @returns `retry` if concurrent changes prevented an assignment
 */
export async function assignWaiting(
  workspaceId: string,
  recent?: Waiting | undefined,
): Promise<{ assigned: number; next: 'none' | 'continue' | 'retry' }> {
  const nothing = { assigned: 0, next: 'none' as const };
  const { assignment, maxOpenPerAgent } = await findInboxSettings(workspaceId);
  if (assignment !== 'automatic') return nothing;
  const agents = await RoundRobin.of(workspaceId, { limit: maxOpenPerAgent, nowMs: clock.now() });
  const { botIds } = await inboxBots({ workspaceId });
  const run = { agents, assigned: 0, read: 0, hasConflicts: false, seen: new Set<string>() };
  // A bot whose agents are at the limit is dropped, so its conversations do not delay those of others.
  for (let bots = covered(agents, botIds); bots.length > 0; ) {
    const isAtEnd = await assignFrom(run, bots);
    const left = covered(agents, bots);
    if (isAtEnd || isFull(run) || left.length === bots.length) break;
    bots = left;
  }
  if (recent && !run.seen.has(recent.handoffId) && !isFull(run)) await assignOne(run, recent);
  const { assigned } = run;
  // Without progress, another run would read the same entries.
  if (isFull(run) && assigned > 0) return { assigned, next: 'continue' };
  return { assigned, next: run.hasConflicts ? 'retry' : 'none' };
}

interface Run {
  agents: RoundRobin;
  assigned: number;
  read: number;
  hasConflicts: boolean;
  seen: Set<string>;
}

const isFull = ({ assigned, read }: Run) => assigned >= MAX_ASSIGNED || read >= MAX_READ;

const covered = (agents: RoundRobin, botIds: readonly string[]) => botIds.filter(id => agents.hasCandidates(id));

/** @returns true at the end of the queue, false if the run is full or a bot has no candidates left */
async function assignFrom(run: Run, botIds: readonly string[]): Promise<boolean> {
  const queue = listHandoffEntries(botIds, [{ status: 'waiting' }], OLDEST_FIRST);
  for await (const page of inChunks(queue, PAGE)) {
    for (const { botId, handoff } of await readHandoffsOfBots(page)) {
      if (run.seen.has(handoff.id)) continue;
      if (isFull(run)) return false;
      run.read += 1;
      if (!run.agents.hasCandidates(botId)) return false;
      run.seen.add(handoff.id);
      if (handoff.status === 'waiting') await assignOne(run, { botId, handoffId: handoff.id });
    }
  }
  return true;
}

/** Assigns one conversation, or leaves it in the queue. */
async function assignOne(run: Run, { botId, handoffId }: Waiting): Promise<void> {
  for (let count = 1; count <= ATTEMPTS; count++) {
    const agent = run.agents.next(botId);
    if (!agent) return;
    try {
      const after = await assignAgent(run.agents, agent, { botId, handoffId });
      if (!after) return;
      run.agents.update(after);
      run.assigned += 1;
      return;
    } catch (error) {
      if (error instanceof WriteConflict) await run.agents.refresh(agent);
      else if (error instanceof ApiError && error.type === 'ReferenceNotFound') run.agents.remove(agent);
      else if (error instanceof ApiError) {
        // One conversation that cannot be assigned must not block the others.
        return log.warn('A conversation was not assigned.', { botId, handoffId, error: errorFields(error) });
      } else throw error;
    }
  }
  run.hasConflicts = true;
}

/** @returns the agent's record after the assignment, or undefined if the conversation left the queue */
async function assignAgent(
  { workspaceId, limit }: RoundRobin,
  agent: Agent,
  { botId, handoffId }: Waiting,
): Promise<Agent | undefined> {
  const [bot, found] = await Promise.all([findBot(botId), findHandoff(botId, handoffId)]);
  if (bot?.workspaceId !== workspaceId || bot.deletedAtMs !== undefined) return undefined;
  if (found?.handoff.status !== 'waiting') return undefined;
  const call = systemCall(bot, clock.now());
  const { writes } = await assignTo(call, found.handoff, found.conversation, agent.accountId);
  const [entry, position] = [openEntry(botId, handoffId), newPosition()];
  await write([...writes, recordAssignment(workspaceId, agent, { entry, position, limit })]);
  return { ...agent, open: [...agent.open, entry], lastAssigned: position };
}

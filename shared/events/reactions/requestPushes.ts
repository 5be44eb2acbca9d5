import { type Presence, parsePresences } from '#shared/storage/dynamodb/chat/presence.ts';
import { isListenedTo } from '#shared/storage/dynamodb/connections/connections.ts';
import type { StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { enqueuePush } from '#shared/storage/queues/pushes.ts';

/** Entries per job. Their signals are read and sent by one call of a function. */
const ENTRIES = 100;

/**
 * Enqueues the signals of one conversation for its connections, in stream order. A conversation without connections
 * costs one read unit. Redelivered changes are harmless: the queue deduplicates jobs, and clients frames.
 */
export async function requestPushes(changes: readonly StreamChange[]): Promise<void> {
  const [{ botId, id: conversationId, sequenceNumber }] = changes as [StreamChange];
  if (!(await isListenedTo(botId, conversationId))) return;
  for (const [i, job] of jobsOf(changes).entries()) {
    await enqueuePush({ ...job, botId, conversationId }, `${sequenceNumber}#${i}`);
  }
}

type Job =
  | { kind: 'signals'; positions: string[]; presence: Presence[] }
  // A participation that may have ended. Its connections receive nothing of what follows.
  | { kind: 'left' };

function jobsOf(changes: readonly StreamChange[]): Job[] {
  const jobs: Job[] = [];
  const signals = () => {
    const last = jobs.at(-1);
    if (last?.kind === 'signals' && last.positions.length < ENTRIES) return last;
    const next = { kind: 'signals' as const, positions: [], presence: [] };
    jobs.push(next);
    return next as Extract<Job, { kind: 'signals' }>;
  };
  for (const change of changes) {
    const { kind, event, position } = change;
    if (kind === 'participant' && event === 'REMOVE') jobs.push({ kind: 'left' });
    if (kind === 'timelineEntry' && event === 'INSERT' && position) signals().positions.push(position);
    const presence = kind === 'presence' ? changedPresence(change) : [];
    if (presence.length > 0) signals().presence.push(...presence);
  }
  return jobs;
}

function changedPresence({ before, after }: StreamChange): Presence[] {
  const known = new Map(parsePresences(before).map(({ name, atMs }) => [name, atMs]));
  return parsePresences(after).filter(({ name, atMs }) => known.get(name) !== atMs);
}

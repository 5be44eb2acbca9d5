/**
 * Sends signals to the connections of a conversation, and notices to members. All jobs of a conversation are in one
 * group of the queue, so its connections receive frames in order, and what a client missed before what follows. A
 * repeated job sends frames again: clients drop those whose id they know.
 */

import { clock } from '#shared/core/clock.ts';
import { measured } from '#shared/core/metrics.ts';
import { floorAt } from '#shared/domain/chat/listenCursor.ts';
import { isStillParticipant } from '#shared/domain/messaging/participation.ts';
import type { JobRun } from '#shared/events/consumers/runJobs.ts';
import { findParticipantsOf } from '#shared/storage/dynamodb/chat/participants.ts';
import { entriesFrom, findEntries } from '#shared/storage/dynamodb/chat/timeline.ts';
import {
  allConnectionsTo,
  endResume,
  findConnection,
  type ListenerConnection,
} from '#shared/storage/dynamodb/connections/connections.ts';
import { enqueuePush, type PushJob, subjectOf } from '#shared/storage/queues/pushes.ts';
import { framesOf } from './frames.ts';
import { type MayWatch, pushNotice } from './pushNotice.ts';
import { closeConnections, NOTHING_SENT, type Sent, sendFrames } from './sendFrames.ts';

type Job<Kind> = Extract<PushJob, { kind: Kind }>;

/**
 * Runs a job. The last attempt closes the connections that would otherwise miss signals. Their clients connect again
 * and receive or read what they missed.
 */
export async function push(
  job: PushJob,
  { isLast, mayWatch }: Pick<JobRun, 'isLast'> & { mayWatch: MayWatch },
): Promise<Record<string, unknown>> {
  const { kind, botId } = job;
  const subject = subjectOf(job);
  try {
    const sent = await run(job, mayWatch);
    const { frames, failed } = sent;
    return {
      ...{ kind, botId, subject, ...sent },
      ...(frames + failed > 0 ? measured({ pushes: frames + failed, pushesFailed: failed }) : {}),
    };
  } catch (error) {
    if (isLast) await closeConnections(await allConnectionsTo(botId, subject));
    throw error;
  }
}

function run(job: PushJob, mayWatch: MayWatch): Promise<Sent> {
  switch (job.kind) {
    case 'notice':
      return pushNotice(job.botId, mayWatch);
    case 'signals':
      return pushSignals(job);
    case 'resume':
      return resumeListening(job);
    case 'left':
      return closeEnded(job);
  }
}

async function pushSignals({ botId, conversationId, positions, presence }: Job<'signals'>): Promise<Sent> {
  const [listeners, found] = await Promise.all([
    listenersOf(botId, conversationId),
    findEntries(
      botId,
      positions.map(position => ({ conversationId, position })),
    ),
  ]);
  const connections = listeners.filter(({ awaitsResume }) => !awaitsResume);
  const entries = found.filter(entry => entry !== undefined);
  return sendFrames(connections, connection => framesOf(connection, { entries, presence }));
}

/** Closes the connections whose participation ended. */
async function closeEnded({ botId, conversationId }: Job<'left'>): Promise<Sent> {
  const connections = await listenersOf(botId, conversationId);
  const current = await findParticipantsOf(
    botId,
    conversationId,
    connections.map(({ userId }) => userId),
  );
  const ended = connections.filter((connection, i) => !isStillParticipant(current[i], connection));
  await closeConnections(ended);
  return { ...NOTHING_SENT, closed: ended.length };
}

/** Entries per job of a resumption. The next job continues, so that others of the conversation run in between. */
const RESUMED_ENTRIES = 500;

/** Sends what a client missed, and lets it receive pushes from then on. */
async function resumeListening({ botId, conversationId, connectionId, from }: Job<'resume'>): Promise<Sent> {
  const connection = await findConnection(connectionId);
  if (connection?.kind !== 'listener' || connection.conversationId !== conversationId) return NOTHING_SENT;
  const readyAt = floorAt(clock.now());
  const positions: string[] = [];
  async function* missed() {
    for await (const entry of entriesFrom(botId, conversationId, from, { isConsistent: true })) {
      yield entry;
      positions.push(entry.position);
      if (positions.length === RESUMED_ENTRIES) return;
    }
  }
  const sent = await sendFrames([connection], target => framesOf(target, { entries: missed() }));
  if (sent.closed > 0) return sent;
  if (positions.length === RESUMED_ENTRIES) {
    await enqueuePush({ kind: 'resume', botId, conversationId, connectionId, from: positions.at(-1)! });
    return sent;
  }
  const { isResumable } = connection;
  const isOpen = await endResume(connection, isResumable ? [] : positions);
  if (isOpen && isResumable) await sendFrames([connection], () => [ready(readyAt)]);
  return sent;
}
/** The client has received what it missed. Its id is a position from which a client without another frame resumes. */
const ready = (id: string) => JSON.stringify({ id, type: 'ready', data: {} });

async function listenersOf(botId: string, conversationId: string): Promise<ListenerConnection[]> {
  return (await allConnectionsTo(botId, conversationId)).filter(each => each.kind === 'listener');
}

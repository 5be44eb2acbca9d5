/**
 * Sends signals to the connections of a conversation. All jobs of a conversation are in one group of the queue, so its
 * connections receive frames in order, and what a client missed before what follows. A repeated job sends frames again:
 * clients drop those whose id they know.
 */

import { decodeTime } from '#shared/core/ids.ts';
import { measured } from '#shared/core/metrics.ts';
import { floorAt, WINDOW_MS } from '#shared/domain/chat/listenCursor.ts';
import { isStillParticipant } from '#shared/domain/chat/participation.ts';
import type { JobRun } from '#shared/events/consumers/runJobs.ts';
import { findParticipantsOf } from '#shared/storage/dynamodb/chat/participants.ts';
import { entriesFrom, findEntries } from '#shared/storage/dynamodb/chat/timeline.ts';
import {
  connectionsTo,
  endResume,
  findConnection,
  type ListenerConnection,
} from '#shared/storage/dynamodb/connections/connections.ts';
import { enqueuePush, type PushJob } from '#shared/storage/queues/pushes.ts';
import { framesOf } from './frames.ts';
import { closeConnections, type Sent, sendFrames } from './sendFrames.ts';

type Job<Kind> = Extract<PushJob, { kind: Kind }>;

/**
 * Runs a job. The last attempt closes the connections that would otherwise miss signals. Their clients connect again
 * and receive what they missed.
 */
export async function push(job: PushJob, { isLast }: Pick<JobRun, 'isLast'>): Promise<Record<string, unknown>> {
  const { kind, botId, conversationId } = job;
  try {
    const sent = await run(job);
    const { frames, failed } = sent;
    return {
      ...{ kind, botId, conversationId, ...sent },
      ...(frames + failed > 0 ? measured({ pushes: frames + failed, pushesFailed: failed }) : {}),
    };
  } catch (error) {
    if (isLast) await closeConnections(await listenersOf(botId, conversationId));
    throw error;
  }
}

function run(job: PushJob): Promise<Sent> {
  switch (job.kind) {
    case 'signals':
      return pushSignals(job);
    case 'resume':
      return resumeListening(job);
    case 'left':
      return closeEnded(job);
  }
}

const NOTHING_SENT: Sent = { frames: 0, failed: 0, closed: 0 };

async function pushSignals({ botId, conversationId, positions, presence }: Job<'signals'>): Promise<Sent> {
  const connections = (await listenersOf(botId, conversationId)).filter(({ awaitsResume }) => !awaitsResume);
  if (connections.length === 0) return NOTHING_SENT;
  const found = await findEntries(
    botId,
    positions.map(position => ({ conversationId, position })),
  );
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

/** Frames per job of a resumption. The next job continues, so that others of the conversation run in between. */
const RESUMED_FRAMES = 500;

/**
 * Sends what a client missed, and lets it receive pushes from then on. Entries may appear for {@link WINDOW_MS} before
 * a position that the client has, so some are sent again.
 */
async function resumeListening({ botId, conversationId, connectionId, after }: Job<'resume'>): Promise<Sent> {
  const connection = await findConnection(connectionId);
  if (connection?.kind !== 'listener' || connection.conversationId !== conversationId) return NOTHING_SENT;
  let last: string | undefined;
  let count = 0;
  async function* missed() {
    for await (const entry of entriesFrom(botId, conversationId, floorAt(decodeTime(after) - WINDOW_MS), {
      isConsistent: true,
    })) {
      yield entry;
      last = entry.position;
      if (++count === RESUMED_FRAMES) return;
    }
  }
  const sent = await sendFrames([connection], target => framesOf(target, { entries: missed() }));
  if (sent.closed > 0) return sent;
  if (count === RESUMED_FRAMES) {
    await enqueuePush({ kind: 'resume', botId, conversationId, connectionId, after: last! });
    return sent;
  }
  if (await endResume(connection)) await sendFrames([connection], () => [READY]);
  return sent;
}
/** The client has received what it missed. What follows are pushes. */
const READY = JSON.stringify({ type: 'ready', data: {} });

async function listenersOf(botId: string, conversationId: string): Promise<ListenerConnection[]> {
  const listeners: ListenerConnection[] = [];
  for await (const each of connectionsTo(botId, conversationId)) if (each.kind === 'listener') listeners.push(each);
  return listeners;
}

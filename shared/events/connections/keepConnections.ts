/** Jobs on the connections of a bot: pings, the end of keys, and checks after a change of the bot. */
import { mayListen } from '#shared/api/chat/listenerRights.ts';
import { clock } from '#shared/core/clock.ts';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { requestExpiry } from '#shared/domain/connections/openConnection.ts';
import { frameOfEverything } from '#shared/events/pushes/pushNotice.ts';
import { closeConnections, sendFrames } from '#shared/events/pushes/sendFrames.ts';
import { findWebhook, type Webhook } from '#shared/storage/dynamodb/chat/webhooks.ts';
import {
  allConnectionsTo,
  type Connection,
  connectionsOf,
  findConnection,
  type WatcherConnection,
  watchAlso,
} from '#shared/storage/dynamodb/connections/connections.ts';
import { MEMBERS } from '#shared/storage/dynamodb/connections/members.ts';
import {
  endPings,
  findPingLoop,
  isQuiet,
  PASSES_PER_ROUND,
  PING_SECONDS,
  type PingLoop,
  recordRound,
} from '#shared/storage/dynamodb/connections/pingLoops.ts';
import { type ConnectionJob, enqueueConnectionJob } from '#shared/storage/queues/connectionJobs.ts';

const CONCURRENT_JOINS = 20;

type Job<Kind> = Extract<ConnectionJob, { kind: Kind }>;

export interface Checked {
  connections: number;
  closed: number;
}

/** As the chat API's event stream has it. */
const PING = 'ping';

/** Sends pings, and plans the next round of the bot's loop. */
export async function continuePings(job: Job<'ping'>, isTimeLeft: () => boolean): Promise<Checked> {
  const { botId, after } = job;
  const loop = await findPingLoop(botId, job);
  if (!loop) return { connections: 0, closed: 0 };
  const { isComplete, ...checked } = await sendPings(job, isTimeLeft);
  if (!isComplete) return checked;
  const nowMs = clock.now();
  const hasFoundNone = checked.connections === 0 && after === undefined;
  if (hasFoundNone && isQuiet(loop, nowMs) && (await endPings(botId, loop))) return checked;
  // Enqueued first, so that a crash in between repeats the job instead of ending the loop.
  await planRound(botId, loop);
  await recordRound(botId, loop, nowMs);
  return checked;
}

/** A call of SQS enqueues all. */
const planRound = (botId: string, { loopId, round }: PingLoop) =>
  Promise.all(
    Array.from({ length: PASSES_PER_ROUND }, (_, i) => {
      const isLast = i === PASSES_PER_ROUND - 1;
      const job = isLast ? ({ kind: 'ping', botId, loopId, round: round + 1 } as const) : plannedPing(botId);
      return enqueueConnectionJob(job, (i + 1) * PING_SECONDS);
    }),
  );

const plannedPing = (botId: string) => ({ kind: 'plannedPing', botId }) as const;

/** Sends a ping to each connection that needs it. Another job continues when the time ends. */
export async function sendPings(
  job: Job<'ping' | 'plannedPing'>,
  isTimeLeft: () => boolean,
): Promise<Checked & { isComplete: boolean }> {
  const { botId, after } = job;
  const checked = { connections: 0, closed: 0 };
  for await (const page of connectionsOf(botId, { needPings: true, after })) {
    const { closed } = await sendFrames(page, () => [PING]);
    checked.connections += page.length;
    checked.closed += closed;
    if (isTimeLeft() || page.length === 0) continue;
    await enqueueConnectionJob({ ...job, after: page.at(-1)!.connectionId });
    return { ...checked, isComplete: false };
  }
  return { ...checked, isComplete: true };
}

/** Closes a connection when its key or token ends. */
export async function expireConnection({ botId, connectionId, atMs }: Job<'expire'>): Promise<Checked> {
  const connection = await findConnection(connectionId);
  if (!connection) return { connections: 0, closed: 0 };
  const nowMs = clock.now();
  if (nowMs < atMs) {
    await requestExpiry({ botId, connectionId, atMs }, nowMs);
    return { connections: 1, closed: 0 };
  }
  await closeConnections([connection]);
  return { connections: 1, closed: 1 };
}

/** Closes the connections that could no longer be opened. @param mayWatch reads the rights of a member */
export async function recheckConnections(
  { botId, after }: Job<'recheck'>,
  { isTimeLeft, mayWatch }: { isTimeLeft: () => boolean; mayWatch: (watcher: WatcherConnection) => Promise<boolean> },
): Promise<Checked> {
  const checked = { connections: 0, closed: 0 };
  const webhooks = new Map<string, Promise<Webhook | undefined>>();
  const webhookOf = (webhookId: string) => {
    const known = webhooks.get(webhookId) ?? findWebhook(webhookId, { isCurrent: true });
    webhooks.set(webhookId, known);
    return known;
  };
  const isPermitted = async (connection: Connection) =>
    connection.kind === 'watcher'
      ? mayWatch(connection)
      : mayListen(
          await webhookOf(connection.webhookId),
          { ...connection.rights, expiresAtMs: connection.expiresAtMs },
          clock.now(),
        );
  for await (const page of connectionsOf(botId, { after })) {
    const permitted = await Promise.all(page.map(isPermitted));
    const ended = page.filter((_, i) => !permitted[i]);
    await closeConnections(ended);
    checked.connections += page.length;
    checked.closed += ended.length;
    if (isTimeLeft() || page.length === 0) continue;
    await enqueueConnectionJob({ kind: 'recheck', botId, after: page.at(-1)!.connectionId });
    return checked;
  }
  return checked;
}

/** Closes the connections of a member to a workspace. */
export async function reconnectMember({ botId: workspaceId, accountId }: Job<'reconnect'>): Promise<Checked> {
  const watchers = await allConnectionsTo(workspaceId, MEMBERS);
  const own = watchers.filter(each => each.kind === 'watcher' && each.accountId === accountId);
  await closeConnections(own);
  return { connections: own.length, closed: own.length };
}

/** Adds a bot to the connections to its workspace whose members may watch it, and lets their clients read it. */
export async function joinConnections(
  { botId, workspaceId }: Job<'join'>,
  mayWatch: (watcher: WatcherConnection) => Promise<boolean>,
): Promise<Checked> {
  const watchers = (await allConnectionsTo(workspaceId, MEMBERS)).filter(each => each.kind === 'watcher');
  const joined = await mapConcurrently(watchers, CONCURRENT_JOINS, async each => {
    const added = { ...each, botId };
    return (await mayWatch(added)) && (await watchAlso(each, botId, clock.now())) ? [added] : [];
  });
  const { closed } = await sendFrames(joined.flat(), () => [frameOfEverything(botId)]);
  return { connections: joined.flat().length, closed };
}

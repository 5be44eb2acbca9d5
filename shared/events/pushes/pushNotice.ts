/** Sends the pending notice of a bot to the members who watch it. Jobs of a bot run one after another. */
import { clock } from '#shared/core/clock.ts';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { isWorkspaceId } from '#shared/core/ids.ts';
import { allConnectionsTo, type WatcherConnection } from '#shared/storage/dynamodb/connections/connections.ts';
import { MEMBERS } from '#shared/storage/dynamodb/connections/members.ts';
import {
  clearNotice,
  findNotice,
  MAX_CONVERSATIONS,
  type Notice,
  TOPICS,
} from '#shared/storage/dynamodb/connections/notices.ts';
import { closeConnections, NOTHING_SENT, type Sent, sendFrames } from './sendFrames.ts';

/** Reads whether a member could open the connection now. */
export type MayWatch = (watcher: WatcherConnection) => Promise<boolean>;

/** Each shard of the table's stream requests notices of a bot about once a second. */
const INTERVAL_MS = 1_000;
const CONCURRENT_CHECKS = 20;

/**
 * Sends what changed since the last notice, at most once a second. The notice is cleared after it was sent, so a
 * repeated job sends it again. A job whose changes were in an earlier notice finds nothing.
 */
export async function pushNotice(botId: string, mayWatch: MayWatch): Promise<Sent> {
  const notice = await dueNotice(botId);
  if (!notice) return NOTHING_SENT;
  const permitted = await watchersOf(botId, mayWatch);
  const text = frameOf(botId, notice);
  const sent = await sendFrames(permitted.open, () => [text]);
  await clearNotice(botId, notice, clock.now());
  return { ...sent, closed: sent.closed + permitted.closed };
}

async function dueNotice(botId: string): Promise<Notice | undefined> {
  const notice = await findNotice(botId);
  if (!notice?.topics.length) return undefined;
  const pauseMs = (notice.sentAtMs ?? 0) + INTERVAL_MS - clock.now();
  if (pauseMs <= 0) return notice;
  // Bounded, because the times are of different machines.
  await clock.sleep(Math.min(pauseMs, INTERVAL_MS));
  return findNotice(botId);
}

/** Closes the connections of members whose token, membership or role no longer permits them. */
async function watchersOf(botId: string, mayWatch: MayWatch): Promise<{ open: WatcherConnection[]; closed: number }> {
  const watchers = (await allConnectionsTo(botId, MEMBERS)).filter(each => each.kind === 'watcher');
  // The tabs of a member share a token.
  const tokens = new Map(watchers.map(each => [`${each.accountId} ${each.tokenHash}`, each]));
  const rights = new Map(
    await mapConcurrently([...tokens], CONCURRENT_CHECKS, async ([id, each]) => [id, await mayWatch(each)] as const),
  );
  const isPermitted = ({ accountId, tokenHash }: WatcherConnection) => rights.get(`${accountId} ${tokenHash}`) === true;
  const ended = watchers.filter(each => !isPermitted(each));
  await closeConnections(ended);
  return { open: watchers.filter(isPermitted), closed: ended.length };
}

function frameOf(botId: string, { topics, conversationIds, accountIds, isPartial }: Notice): string {
  const areNamed = !isPartial && conversationIds.length <= MAX_CONVERSATIONS;
  if (isWorkspaceId(botId)) return JSON.stringify({ type: 'changed', data: { workspaceId: botId, topics } });
  const named = { ...(areNamed ? { conversationIds } : {}), ...(accountIds.length > 0 ? { accountIds } : {}) };
  return JSON.stringify({ type: 'changed', data: { botId, topics, ...named } });
}

/** A notice that names every topic, and no conversations. */
export const frameOfEverything = (botId: string): string =>
  JSON.stringify({ type: 'changed', data: { botId, topics: TOPICS.filter(topic => topic !== 'agents') } });

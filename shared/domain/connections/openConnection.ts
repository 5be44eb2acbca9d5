/** Opens connections. Neither a connection nor its jobs touch the conversation that it listens to. */
import { type ListenerRights, mayListen } from '#shared/api/chat/listenerRights.ts';
import { checkOrigin } from '#shared/api/chat/requireOrigin.ts';
import type { Call } from '#shared/api/operation.ts';
import type { BotCall } from '#shared/api/operations/platform.ts';
import { ApiError, notFound } from '#shared/core/errors.ts';
import { decodeTime } from '#shared/core/ids.ts';
import { log } from '#shared/core/log.ts';
import { measured } from '#shared/core/metrics.ts';
import { floorAt, LOOK_BACK_MS, WINDOW_MS } from '#shared/domain/chat/listenCursor.ts';
import { isStillParticipant } from '#shared/domain/messaging/participation.ts';
import { findParticipantsOf, type Participant } from '#shared/storage/dynamodb/chat/participants.ts';
import { findWebhook } from '#shared/storage/dynamodb/chat/webhooks.ts';
import {
  addConnection,
  type Connection,
  countConnections,
  type ListenerConnection,
  MAX_CONNECTION_MS,
  removeConnections,
  subjectOf,
} from '#shared/storage/dynamodb/connections/connections.ts';
import { PING_SECONDS, startLoop } from '#shared/storage/dynamodb/connections/pingLoops.ts';
import { isOfAccount } from '#shared/storage/dynamodb/workspace/tokenValue.ts';
import { enqueueConnectionJob } from '#shared/storage/queues/connectionJobs.ts';
import { enqueuePush } from '#shared/storage/queues/pushes.ts';
import { MAX_DELAY_SECONDS } from '#shared/storage/queues/queueSettings.ts';

/** Each push is sent to all connections of its subject. Approximate, because concurrent calls count the same ones. */
const LIMITS = { all: 1_000, own: 20 };

type Watching = Pick<BotCall<unknown>, 'connectionId' | 'nowMs' | 'token' | 'tokenKind' | 'principal'>;

interface NewListener {
  participant: Participant;
  rights: ListenerRights;
  isResumable: boolean;
  after: string | undefined;
}

/** @throws ApiError LimitExceeded for too many connections */
export async function openListener(
  { botId, connectionId, nowMs }: Pick<Call, 'connectionId' | 'nowMs'> & { botId: string },
  { participant, rights: { expiresAtMs, ...rights }, isResumable, after }: NewListener,
): Promise<void> {
  const { conversationId, userId, foreignConversationId, foreignUserId, isOwner, webhookId } = participant;
  const { generation, userGeneration, joinedAtMs, conversationCreatedAtMs } = participant;
  const connection: ListenerConnection = {
    ...{ kind: 'listener', connectionId: connectionId!, botId, connectedAtMs: nowMs, expiresAtMs },
    ...{ conversationId, userId, foreignConversationId, foreignUserId, isOwner, webhookId },
    ...{ generation, userGeneration, joinedAtMs, conversationCreatedAtMs },
    ...{ rights, isResumable, awaitsResume: true },
  };
  await open(connection, nowMs);
  await requireRights(connection, nowMs);
  const from = firstPosition(after, nowMs);
  await enqueuePush({ kind: 'resume', botId, conversationId, connectionId: connectionId!, from });
  const loopId = isResumable ? undefined : await startLoop(botId, nowMs);
  if (loopId) await enqueueConnectionJob({ kind: 'ping', botId, loopId, round: 0 }, PING_SECONDS);
  logOpened(connection);
}

/**
 * Returns the position from which entries are sent before pushes. Entries may appear for {@link WINDOW_MS} before one
 * that a client has. A new client receives what was written while it connected.
 */
const firstPosition = (after: string | undefined, nowMs: number) =>
  floorAt(after === undefined ? nowMs - LOOK_BACK_MS : Math.max(0, decodeTime(after) - WINDOW_MS));

/**
 * Reads the rights after the connection was stored. A right that ends later closes the connection, because its change
 * finds it.
 */
async function requireRights(connection: ListenerConnection, nowMs: number): Promise<void> {
  const { botId, conversationId, userId, webhookId, rights, expiresAtMs } = connection;
  const [webhook, [participant]] = await Promise.all([
    findWebhook(webhookId, { isCurrent: true }),
    findParticipantsOf(botId, conversationId, [userId]),
  ]);
  const isPermitted = mayListen(webhook, { ...rights, expiresAtMs }, nowMs);
  if (isPermitted && isStillParticipant(participant, connection)) return;
  await removeConnections([connection]);
  // The handshake was checked against a cached installation.
  if (!isPermitted && webhook?.isChat) {
    checkOrigin({ origin: rights.origin, webhook });
    throw new ApiError('Unauthorized', 'The user key is no longer valid.');
  }
  throw notFound('The conversation');
}

/**
 * Watches a bot, or bots of a workspace over one connection.
 * @throws ApiError LimitExceeded for too many connections, Forbidden for keys of bots and integrations
 */
export async function openWatcher(
  { connectionId, nowMs, token, tokenKind, principal }: Watching,
  watched: { botId: string } | { workspaceId: string; botIds: readonly string[] },
): Promise<void> {
  if (principal.kind !== 'account' || !isOfAccount(tokenKind))
    throw new ApiError('Forbidden', 'Only members may watch a bot.');
  const { hash: tokenHash, expiresAtMs } = token;
  const { id: accountId } = principal.account;
  const [place, botIds] =
    'botId' in watched
      ? [{ botId: watched.botId }, []]
      : [{ botId: watched.workspaceId, workspaceId: watched.workspaceId }, watched.botIds];
  const connection: Connection = {
    ...{ kind: 'watcher', connectionId: connectionId!, connectedAtMs: nowMs, expiresAtMs },
    ...{ accountId, tokenHash, tokenKind },
    ...place,
  };
  await open(connection, nowMs, botIds);
  logOpened(connection);
}

const logOpened = ({ kind, botId }: Connection) =>
  log.info('Opened a connection.', { kind, botId, ...measured({ connections: 1 }) });

async function open(connection: Connection, nowMs: number, botIds: readonly string[] = []): Promise<void> {
  const { botId, connectionId, expiresAtMs = Number.POSITIVE_INFINITY } = connection;
  await requireRoom(connection);
  await addConnection(connection, nowMs, botIds);
  if (expiresAtMs < nowMs + MAX_CONNECTION_MS) await requestExpiry({ botId, connectionId, atMs: expiresAtMs }, nowMs);
}

async function requireRoom(connection: Connection): Promise<void> {
  const ownerId = connection.kind === 'listener' ? connection.userId : connection.accountId;
  const { all, own } = await countConnections(connection.botId, subjectOf(connection), { ownerId, limit: LIMITS.all });
  if (own >= LIMITS.own) throw tooMany(`${LIMITS.own} connections of one user`);
  if (all >= LIMITS.all) throw tooMany(`${LIMITS.all} connections`);
}

const tooMany = (limit: string) =>
  new ApiError('LimitExceeded', `The limit is ${limit} at a time. Close others before you open one.`);

/** The job enqueues itself until the time, because a queue delays by at most 15 minutes. */
export const requestExpiry = (
  job: { botId: string; connectionId: string; atMs: number },
  nowMs: number,
): Promise<void> =>
  enqueueConnectionJob(
    { kind: 'expire', ...job },
    Math.min(MAX_DELAY_SECONDS, Math.max(0, Math.ceil((job.atMs - nowMs) / 1000))),
  );

/**
 * WebSocket connections. Each is an item in the partition of what it listens to, so a push reads one partition, and a
 * second item leads from the connection's id to it, because API Gateway reports a closed connection by its id alone.
 * Neither is in the conversation's own partition, so connecting writes nothing that messages wait for.
 */
import * as z from 'zod/mini';
import { sendBatches } from '#shared/storage/dynamodb/engine/batch.ts';
import {
  type Item,
  partitionQuery,
  queryAll,
  queryPage,
  readItem,
  readItems,
  readItemsEventually,
} from '#shared/storage/dynamodb/engine/query.ts';
import { tryWrite } from '#shared/storage/dynamodb/engine/transaction.ts';
import {
  connectedMemberKey,
  connectionKey,
  connectionListPk,
  connectionSubjectKey,
  livePk,
} from '#shared/storage/dynamodb/keys/connections.ts';
import type { Key } from '#shared/storage/dynamodb/keys/table.ts';
import { ACCOUNT_TOKENS } from '#shared/storage/dynamodb/workspace/tokenValue.ts';
import { MEMBERS } from './members.ts';

/** API Gateway closes connections after two hours. The margin covers clocks and slow deletions. */
export const MAX_CONNECTION_MS = 2 * 60 * 60_000;
const RETENTION_SECONDS = (MAX_CONNECTION_MS + 10 * 60_000) / 1000;

const Listener = z.object({
  kind: z.literal('listener'),
  conversationId: z.string(),
  userId: z.string(),
  foreignConversationId: z.optional(z.string()),
  foreignUserId: z.optional(z.string()),
  isOwner: z.boolean(),
  webhookId: z.string(),
  generation: z.number(),
  userGeneration: z.string(),
  joinedAtMs: z.number(),
  conversationCreatedAtMs: z.number(),
  /** What decides whether it may stay open (`shared/api/chat/listenerRights.ts`). */
  rights: z.object({
    keyPrint: z.string(),
    origin: z.optional(z.string()),
    claims: z.optional(
      z.object({
        id: z.string(),
        isDerived: z.boolean(),
        generation: z.optional(z.string()),
        idBy: z.optional(z.string()),
      }),
    ),
  }),
  /** Clients of Parley resume by id. Others receive plain signals and pings. */
  isResumable: z.boolean(),
  /** True until the client has received what it missed, or what was written while it connected. */
  awaitsResume: z.optional(z.boolean()),
  /** Positions of the entries that were sent before pushes, to clients that cannot drop repeated ones. */
  alreadySent: z.optional(z.array(z.string())),
});

const Watcher = z.object({
  kind: z.literal('watcher'),
  /** The token's owner and hash, by which it is read again before each push. */
  accountId: z.string(),
  tokenHash: z.string(),
  /** Missing in connections of the release before sessions. */
  tokenKind: z.optional(z.enum(ACCOUNT_TOKENS)),
  /** Set if it watches all bots of the workspace. It has an item for the workspace and for each bot. */
  workspaceId: z.optional(z.string()),
});

const Common = {
  connectionId: z.string(),
  /** The bot or, for the item of a workspace, its id. */
  botId: z.string(),
  connectedAtMs: z.number(),
  /** End of the key or token. */
  expiresAtMs: z.optional(z.number()),
};
export const Connection = z.discriminatedUnion('kind', [z.extend(Listener, Common), z.extend(Watcher, Common)]);
export type Connection = z.infer<typeof Connection>;
export type ListenerConnection = Extract<Connection, { kind: 'listener' }>;
export type WatcherConnection = Extract<Connection, { kind: 'watcher' }>;

/** API Gateway rejects frames until the handshake has ended, slightly after the connection was stored. */
const HANDSHAKE_MS = 10_000;

/** Returns true while a missing connection may be one that is still being opened. */
export const isConnecting = ({ connectedAtMs }: Connection, nowMs: number): boolean =>
  nowMs - connectedAtMs < HANDSHAKE_MS;

export const subjectOf = (connection: Connection) =>
  connection.kind === 'listener' ? connection.conversationId : MEMBERS;

const keyOf = (connection: Connection): Key =>
  connectionKey(connection.botId, subjectOf(connection), connection.connectionId);

const expiryOf = (nowMs: number) => Math.floor(nowMs / 1000) + RETENTION_SECONDS;

function itemOf(connection: Connection, ttl: number): Item {
  const { botId, connectionId } = connection;
  const needsPings = connection.kind === 'listener' && !connection.isResumable;
  return {
    ...keyOf(connection),
    ...connection,
    gsiPk: connectionListPk(botId),
    gsi1Sk: connectionId,
    ...(needsPings ? { gsi2Sk: connectionId } : {}),
    ttl,
  };
}

/**
 * The subject's item is first, so that every stored connection can be removed by its id.
 * @param botIds the bots that a connection to a workspace watches
 */
export async function addConnection(
  connection: Connection,
  nowMs: number,
  botIds: readonly string[] = [],
): Promise<void> {
  const { botId, connectionId } = connection;
  const ttl = expiryOf(nowMs);
  await tryWrite({
    put: {
      Item: {
        ...connectionSubjectKey(connectionId),
        ...{ botId, subject: subjectOf(connection), ttl },
        ...(isOfWorkspace(connection) ? { botIds } : {}),
      },
    },
  });
  const items = [connection, ...botIds.map(each => ({ ...connection, botId: each }))].map(each => itemOf(each, ttl));
  if (isOfWorkspace(connection)) items.push(connectedMember(connection as WatcherConnection, ttl));
  await sendBatches(items.map(Item => ({ PutRequest: { Item } })));
}

/** Announces the member as connected to the inbox of the workspace (`connectedMembers.ts`). */
const connectedMember = ({ botId, connectionId, accountId, connectedAtMs }: WatcherConnection, ttl: number): Item => ({
  ...connectedMemberKey(botId, connectionId),
  ...{ accountId, connectedAtMs, ttl },
});

const isOfWorkspace = (connection: Connection): boolean =>
  connection.kind === 'watcher' && connection.workspaceId !== undefined;

/** Number of bots that one connection watches. */
export const MAX_WATCHED_BOTS = 100;

/**
 * Adds a bot to a connection to its workspace. Idempotent.
 * @returns false if the connection was closed or watches as many bots as it may
 */
export async function watchAlso(connection: WatcherConnection, botId: string, nowMs: number): Promise<boolean> {
  const { connectionId } = connection;
  const added = { ...connection, botId };
  await sendBatches([{ PutRequest: { Item: itemOf(added, expiryOf(nowMs)) } }]);
  const isNew = await tryWrite({
    update: {
      Key: connectionSubjectKey(connectionId),
      UpdateExpression: 'SET botIds = list_append(botIds, :added)',
      ConditionExpression: 'attribute_exists(pk) AND size(botIds) < :max AND NOT contains(botIds, :botId)',
      ExpressionAttributeValues: { ':added': [botId], ':botId': botId, ':max': MAX_WATCHED_BOTS },
    },
  });
  if (isNew) return true;
  const subject = await readItem(connectionSubjectKey(connectionId));
  if (subject?.botIds?.includes(botId)) return true;
  await sendBatches([{ DeleteRequest: { Key: keyOf(added) } }]);
  return false;
}

export async function findConnection(connectionId: string): Promise<Connection | undefined> {
  const subject = await readItem(connectionSubjectKey(connectionId));
  if (!subject) return undefined;
  const item = await readItem(connectionKey(subject.botId, subject.subject, connectionId));
  return item && Connection.parse(item);
}

/** Removes a connection by its id. Reads only its subject, because thousands may close at once. Idempotent. */
export async function removeConnectionById(
  connectionId: string,
): Promise<Pick<Connection, 'botId' | 'kind'> | undefined> {
  const found = await readItem(connectionSubjectKey(connectionId));
  if (!found) return undefined;
  await sendBatches(deletionsOf(connectionId, keysIn(connectionId, found)));
  return { botId: found.botId, kind: found.subject === MEMBERS ? 'watcher' : 'listener' };
}

/** Idempotent. */
export async function removeConnections(connections: readonly Connection[]): Promise<void> {
  const ofWorkspaces = connections.filter(isOfWorkspace).map(({ connectionId }) => connectionId);
  const subjects = await readItems(ofWorkspaces.map(connectionSubjectKey));
  const others = new Map(ofWorkspaces.map((id, i) => [id, subjects[i] ? keysIn(id, subjects[i]) : []]));
  await sendBatches(
    connections.flatMap(each => {
      const { connectionId } = each;
      const keys = (others.get(connectionId) ?? []).filter(({ pk }) => pk !== keyOf(each).pk);
      return deletionsOf(connectionId, [keyOf(each), ...keys]);
    }),
  );
}

/** Keys of all items that the subject of a connection names. */
const keysIn = (connectionId: string, { botId, subject, botIds }: Item): Key[] => [
  ...[botId, ...(botIds ?? [])].map(each => connectionKey(each, subject, connectionId)),
  ...(botIds ? [connectedMemberKey(botId, connectionId)] : []),
];

const deletionsOf = (connectionId: string, keys: readonly Key[]) =>
  [...keys, connectionSubjectKey(connectionId)].map(Key => ({ DeleteRequest: { Key } }));

/** Marks a connection as complete up to the present, so that it receives pushes. Ignores a closed one. */
export const endResume = (connection: ListenerConnection, alreadySent: readonly string[]): Promise<boolean> =>
  tryWrite({
    update: {
      Key: keyOf(connection),
      UpdateExpression: 'SET alreadySent = :sent REMOVE awaitsResume',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':sent': alreadySent },
    },
  });

/** Strongly consistent, because a connection may have been stored before the message that it must receive. */
export async function isListenedTo(botId: string, subject: string): Promise<boolean> {
  const { items } = await queryPage({
    ...partitionQuery(livePk(botId, subject)),
    ConsistentRead: true,
    ProjectionExpression: 'sk',
    Limit: 1,
  });
  return items.length > 0;
}

/** Returns the numbers of connections to a subject, of all and of one owner. Eventually consistent, up to `limit`. */
export async function countConnections(
  botId: string,
  subject: string,
  { ownerId, limit }: { ownerId: string; limit: number },
): Promise<{ all: number; own: number }> {
  const { items } = await queryPage({
    ...partitionQuery(livePk(botId, subject)),
    ProjectionExpression: 'userId, accountId',
    Limit: limit,
  });
  const own = items.filter(({ userId, accountId }) => (userId ?? accountId) === ownerId);
  return { all: items.length, own: own.length };
}

/** Strongly consistent, so that no connection misses what is pushed after it was stored. */
export async function allConnectionsTo(botId: string, subject: string): Promise<Connection[]> {
  const connections: Connection[] = [];
  for await (const item of queryAll({ ...partitionQuery(livePk(botId, subject)), ConsistentRead: true })) {
    connections.push(Connection.parse(item));
  }
  return connections;
}

const PAGE = 100;

/** All connections of a bot, or those that need pings, in pages by id. Eventually consistent. */
export async function* connectionsOf(
  botId: string,
  { needPings = false, after }: { needPings?: boolean; after?: string | undefined } = {},
): AsyncGenerator<Connection[]> {
  const [IndexName, sk, read] = needPings
    ? (['gsi2', 'gsi2Sk', readItemsEventually] as const)
    : (['gsi1', 'gsi1Sk', readItems] as const);
  let next: Item | undefined;
  do {
    const page = await queryPage({
      IndexName,
      KeyConditionExpression: `gsiPk = :pk AND ${sk} > :after`,
      ExpressionAttributeValues: { ':pk': connectionListPk(botId), ':after': after ?? ' ' },
      Limit: PAGE,
      ExclusiveStartKey: next,
    });
    // The index, which only has keys, lags behind the table as well.
    const items = await read(page.items.map(({ pk, sk: id }) => ({ pk, sk: id }) as Key));
    yield items.flatMap(item => (item ? [Connection.parse(item)] : []));
    next = page.next;
  } while (next);
}

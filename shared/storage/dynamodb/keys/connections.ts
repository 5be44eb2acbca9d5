/**
 * Keys of WebSocket connections. Their ids come from API Gateway.
 *
 * | access pattern                          | index | pk                        | sk           |
 * |-----------------------------------------|-------|---------------------------|--------------|
 * | connections to a conversation           | table | <bot>#live#<conversation> | <connection> |
 * | members' connections to a bot           | table | <bot>#live#members        | <connection> |
 * | members' connections to all bots        | table | <workspace>#live#members  | <connection> |
 * | connections of a bot                    | gsi1  | <bot>#connections         | <connection> |
 * | connections that need pings, of a bot   | gsi2  | <bot>#connections         | <connection> |
 * | ping loop of a bot                      | table | <bot>#live                | pings        |
 * | pending notice to members               | table | <bot>#live                | notice       |
 * | members with a connection to all bots   | table | <workspace>#live          | connectedMember#<connection> |
 * | subject of a connection                 | table | connection#<connection>   | subject      |
 */
import { ANY_BOT, type Key, type Partitions } from './table.ts';

const LIVE = 'live';
const CONNECTION = 'connection#';

export const connectionPartitions = {
  connections: [`${ANY_BOT}#${LIVE}*`, `${ANY_BOT}#connections`, `wkspace_*#${LIVE}*`],
  connectionSubjects: [`${CONNECTION}*`],
} as const satisfies Partitions;

/** @param watchedId a bot or, for connections to all of its bots, a workspace */
export const livePk = (watchedId: string, subject: string) => `${watchedId}#${LIVE}#${subject}`;

export const connectionKey = (watchedId: string, subject: string, connectionId: string): Key => ({
  pk: livePk(watchedId, subject),
  sk: connectionId,
});

export const connectionListPk = (botId: string) => `${botId}#connections`;

const botLivePk = (botId: string) => `${botId}#${LIVE}`;

export const pingLoopKey = (botId: string): Key => ({ pk: botLivePk(botId), sk: 'pings' });

export const noticeKey = (botId: string): Key => ({ pk: botLivePk(botId), sk: 'notice' });

export const connectedMemberPrefix = 'connectedMember#';

/** Beside the connection's own item, with a prefix by which stream filters find it. */
export const connectedMemberKey = (workspaceId: string, connectionId: string): Key => ({
  pk: botLivePk(workspaceId),
  sk: `${connectedMemberPrefix}${connectionId}`,
});

export const connectedMembersPk = (workspaceId: string) => botLivePk(workspaceId);

export const connectionSubjectKey = (connectionId: string): Key => ({
  pk: `${CONNECTION}${connectionId}`,
  sk: 'subject',
});

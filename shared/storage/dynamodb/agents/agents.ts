/**
 * Agents of the inbox: availability, open conversations, and the position of the last automatic assignment. A record
 * exists for each member who has set their availability, connected, or been assigned to a conversation.
 */
import * as z from 'zod/mini';
import { type Item, prefixQuery, queryAll, readItem, readItems } from '#shared/storage/dynamodb/engine/query.ts';
import {
  tryWrite,
  unconditional,
  type Write,
  WriteConflict,
  write,
} from '#shared/storage/dynamodb/engine/transaction.ts';
import { agentKey, agentPrefix, agentsPk } from '#shared/storage/dynamodb/keys/agents.ts';

export const AVAILABILITIES = ['online', 'away'] as const;
export type Availability = (typeof AVAILABILITIES)[number];

/** Open conversations that are recorded per agent, about 60 KB. Further ones are not counted. */
const MAX_RECORDED = 500;

const Agent = z.object({
  accountId: z.string(),
  availability: z.optional(z.enum(AVAILABILITIES)),
  availabilityChangedAtMs: z.optional(z.number()),
  /** Open handoffs that are assigned to the agent, as {@link openEntry} writes them. */
  open: z.pipe(
    z.optional(z.set(z.string())),
    z.transform((set): string[] => [...(set ?? [])].sort()),
  ),
  /** Position of the last automatic assignment. */
  lastAssigned: z.optional(z.string()),
  connectedAtMs: z.optional(z.number()),
  /** Set while no console of the agent is connected. */
  disconnectedAtMs: z.optional(z.number()),
});
export type Agent = z.infer<typeof Agent>;

const parse = (item: Item): Agent => Agent.parse(item);
export const newAgent = (accountId: string): Agent => ({ accountId, open: [] });

/** Contains the bot, so that the handoff can be read, and a deleted bot's entries found. */
export const openEntry = (botId: string, handoffId: string): string => `${botId} ${handoffId}`;

export function parseOpenEntry(entry: string): { botId: string; handoffId: string } {
  const [botId, handoffId] = entry.split(' ') as [string, string];
  return { botId, handoffId };
}

export async function findAgentRecord(workspaceId: string, accountId: string): Promise<Agent | undefined> {
  const item = await readItem(agentKey(workspaceId, accountId));
  return item && parse(item);
}

/** In order. A member without a record has an empty one. */
export async function findAgentRecords(workspaceId: string, accountIds: readonly string[]): Promise<Agent[]> {
  const items = await readItems(accountIds.map(id => agentKey(workspaceId, id)));
  return items.map((item, i) => (item ? parse(item) : newAgent(accountIds[i]!)));
}

/** All records of the workspace: one per member, at most. */
export async function* allAgentRecords(workspaceId: string): AsyncGenerator<Agent> {
  for await (const item of queryAll(prefixQuery(agentsPk(workspaceId), agentPrefix))) yield parse(item);
}

export const setAvailability = (
  workspaceId: string,
  accountId: string,
  availability: Availability,
  nowMs: number,
): Write => ({
  update: {
    Key: agentKey(workspaceId, accountId),
    UpdateExpression: 'SET accountId = :account, availability = :availability, availabilityChangedAtMs = :now',
    ExpressionAttributeValues: { ':account': accountId, ':availability': availability, ':now': nowMs },
  },
  onRefused: unconditional,
});

/**
 * Records an automatic assignment, as part of its transaction. Fails with {@link WriteConflict} if the agent has
 * reached the limit, changed their availability, or received another automatic assignment since the read.
 */
export function recordAssignment(
  workspaceId: string,
  { accountId, availability, lastAssigned }: Agent,
  { entry, position, limit }: { entry: string; position: string; limit: number },
): Write {
  const conditions = [
    '(attribute_not_exists(#open) OR size(#open) < :limit)',
    lastAssigned === undefined ? 'attribute_not_exists(lastAssigned)' : 'lastAssigned = :last',
    availability === undefined ? 'attribute_not_exists(availability)' : 'availability = :availability',
  ];
  return {
    update: {
      Key: agentKey(workspaceId, accountId),
      UpdateExpression: 'SET accountId = :account, lastAssigned = :position ADD #open :entries',
      ConditionExpression: conditions.join(' AND '),
      ExpressionAttributeNames: { '#open': 'open' },
      ExpressionAttributeValues: {
        ...{ ':account': accountId, ':position': position, ':entries': new Set([entry]), ':limit': limit },
        ...(lastAssigned === undefined ? {} : { ':last': lastAssigned }),
        ...(availability === undefined ? {} : { ':availability': availability }),
      },
    },
    onRefused: () => new WriteConflict(),
  };
}

/** Adds an open handoff while `holds` is true. Ignores a repeated one, and those above {@link MAX_RECORDED}. */
export async function addOpen(workspaceId: string, accountId: string, entry: string, holds: Write): Promise<void> {
  const record = await findAgentRecord(workspaceId, accountId);
  if (record?.open.includes(entry) || (record?.open.length ?? 0) >= MAX_RECORDED) return;
  await write([
    holds,
    {
      update: {
        Key: agentKey(workspaceId, accountId),
        UpdateExpression: 'SET accountId = :account ADD #open :entries',
        ExpressionAttributeNames: { '#open': 'open' },
        ExpressionAttributeValues: { ':account': accountId, ':entries': new Set([entry]) },
      },
      onRefused: unconditional,
    },
  ]);
}

/** Removes an open handoff while `ended` is true. Ignores one that the record lacks. */
export async function removeOpen(workspaceId: string, accountId: string, entry: string, ended: Write): Promise<void> {
  const record = await findAgentRecord(workspaceId, accountId);
  if (!record?.open.includes(entry)) return;
  await write([ended, { update: removal(workspaceId, accountId, [entry]), onRefused: () => new WriteConflict() }]);
}

/** Removes a released handoff, as part of its transaction. Fails with `refusal` if the agent has connected since. */
export const recordRelease = (
  workspaceId: string,
  { accountId, disconnectedAtMs }: Agent,
  entry: string,
  refusal: () => Error,
): Write => ({
  update: {
    Key: agentKey(workspaceId, accountId),
    UpdateExpression: 'DELETE #open :entries',
    ConditionExpression: 'disconnectedAtMs = :disconnected',
    ExpressionAttributeNames: { '#open': 'open' },
    ExpressionAttributeValues: { ':entries': new Set([entry]), ':disconnected': disconnectedAtMs },
  },
  onRefused: refusal,
});

/** Removes open handoffs that no longer exist. Idempotent. */
export const forgetOpen = (workspaceId: string, accountId: string, entries: readonly string[]): Promise<boolean> =>
  tryWrite({ update: removal(workspaceId, accountId, entries) });

const removal = (workspaceId: string, accountId: string, entries: readonly string[]) => ({
  Key: agentKey(workspaceId, accountId),
  UpdateExpression: 'DELETE #open :entries',
  ConditionExpression: 'attribute_exists(pk)',
  ExpressionAttributeNames: { '#open': 'open' },
  ExpressionAttributeValues: { ':entries': new Set(entries) },
});

export const recordConnected = (workspaceId: string, accountId: string, atMs: number): Promise<boolean> =>
  tryWrite({
    update: {
      Key: agentKey(workspaceId, accountId),
      UpdateExpression: 'SET accountId = :account, connectedAtMs = :now REMOVE disconnectedAtMs',
      ConditionExpression: 'attribute_not_exists(connectedAtMs) OR connectedAtMs < :now',
      ExpressionAttributeValues: { ':account': accountId, ':now': atMs },
    },
  });

/** Records the end of the last connection. Keeps the time of an earlier call. @returns the recorded time */
export async function recordDisconnected(
  workspaceId: string,
  accountId: string,
  nowMs: number,
): Promise<number | undefined> {
  await tryWrite({
    update: {
      Key: agentKey(workspaceId, accountId),
      UpdateExpression: 'SET disconnectedAtMs = if_not_exists(disconnectedAtMs, :now)',
      // The record of a former member is not created again.
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':now': nowMs },
    },
  });
  return (await findAgentRecord(workspaceId, accountId))?.disconnectedAtMs;
}

/** Corrects {@link recordDisconnected} for an agent who connected meanwhile. */
export const undoDisconnected = (workspaceId: string, accountId: string, disconnectedAtMs: number): Promise<boolean> =>
  tryWrite({
    update: {
      Key: agentKey(workspaceId, accountId),
      UpdateExpression: 'REMOVE disconnectedAtMs',
      ConditionExpression: 'disconnectedAtMs = :disconnected',
      ExpressionAttributeValues: { ':disconnected': disconnectedAtMs },
    },
  });

/** Removes the record of a former member. Idempotent. */
export const removeAgentRecord = (workspaceId: string, accountId: string): Promise<boolean> =>
  tryWrite({ remove: { Key: agentKey(workspaceId, accountId) } });

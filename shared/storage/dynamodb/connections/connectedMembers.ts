/** Members whose console is connected to the inbox of a workspace. */
import * as z from 'zod/mini';
import { prefixQuery, queryAll } from '#shared/storage/dynamodb/engine/query.ts';
import { connectedMemberPrefix, connectedMembersPk } from '#shared/storage/dynamodb/keys/connections.ts';
import { MAX_CONNECTION_MS } from './connections.ts';

const Connected = z.object({ accountId: z.string(), connectedAtMs: z.number() });

/**
 * Returns the accounts of connected members. Strongly consistent: a connection that was stored before the read counts.
 * Reads up to 1,000 items of 150 bytes. Ignores connections that API Gateway has closed by their age, whose report was
 * lost.
 */
export async function findConnectedMembers(workspaceId: string, nowMs: number): Promise<Set<string>> {
  const accountIds = new Set<string>();
  const query = { ...prefixQuery(connectedMembersPk(workspaceId), connectedMemberPrefix), ConsistentRead: true };
  for await (const item of queryAll(query)) {
    const { accountId, connectedAtMs } = Connected.parse(item);
    if (connectedAtMs > nowMs - MAX_CONNECTION_MS) accountIds.add(accountId);
  }
  return accountIds;
}

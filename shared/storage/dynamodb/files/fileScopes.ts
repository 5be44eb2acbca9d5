/** Scopes that ever had files, for the deletion of a bot's and its integrations' files. */

import { partitionQuery, queryAll } from '#shared/storage/dynamodb/engine/query.ts';
import { unconditional, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { fileScopeKey, fileScopesPk } from '#shared/storage/dynamodb/keys/files.ts';
import { BOT_SCOPE, SHARED_SCOPE } from './file.ts';

/** Must precede the scope's first file. */
export async function recordScope(botId: string, scope: string): Promise<void> {
  if (scope !== BOT_SCOPE) await write([{ put: { Item: fileScopeKey(botId, scope) }, onRefused: unconditional }]);
}

export async function listScopes(botId: string): Promise<string[]> {
  const scopes = [BOT_SCOPE, SHARED_SCOPE];
  for await (const { sk } of queryAll({ ...partitionQuery(fileScopesPk(botId)), ConsistentRead: true }))
    scopes.push(sk);
  return scopes;
}

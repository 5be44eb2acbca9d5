/** Records that identify a caller: token, owner and bot. Cached, or read with one call. */

import { isUuid } from '#shared/core/ids.ts';
import { type Bot, parseCurrentBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { type Item, readItems } from '#shared/storage/dynamodb/engine/query.ts';
import type { Key } from '#shared/storage/dynamodb/keys/table.ts';
import { accountKey, botKey, integrationKey, singleSignOnKey } from '#shared/storage/dynamodb/keys/workspace.ts';
import { type Account, parseAccount } from '#shared/storage/dynamodb/workspace/accounts.ts';
import { parseTokenItem, type Token, tokenKeyOf } from '#shared/storage/dynamodb/workspace/tokens.ts';
import { isOfAccount, type TokenKind } from '#shared/storage/dynamodb/workspace/tokenValue.ts';

export type TokenOwner =
  | { kind: 'account'; account: Account }
  | { kind: 'bot'; bot: Bot }
  | { kind: 'integration'; integrationId: string };

export interface CallerRecords {
  token: Token | undefined;
  owner: TokenOwner | undefined;
  bot: Bot | undefined;
  /** Accounts on whose rights a limited token depends. */
  grantors: Account[];
  /** The present single sign-on of the workspace, for a limited token that depends on one. */
  singleSignOnId: string | undefined;
}

/** Maximum delay of a revocation (docs/api/admin.md#revocation). */
export const CALLER_CACHE_MS = 30_000;
const CACHED_ITEMS = 2_000;
const cache = new Map<string, { item: Item; untilMs: number }>();

function parsedOnce<T extends object>(parse: (item: Item) => T): (item: Item) => T {
  const parsed = new WeakMap<Item, T>();
  return item => {
    const known = parsed.get(item);
    if (known) return known;
    const value = parse(item);
    parsed.set(item, value);
    return value;
  };
}
const tokenOf = parsedOnce(parseTokenItem);
const accountOf = parsedOnce(parseAccount);
const botOf = parsedOnce(parseCurrentBot);

/** Returns `isFromCache` when any record came from the cache. @param isFresh bypasses the cache */
export async function readCaller(
  { kind, ownerId, hash, botId }: { kind: TokenKind; ownerId: string; hash: string; botId: string | undefined },
  { nowMs, isFresh }: { nowMs: number; isFresh: boolean },
): Promise<{ records: CallerRecords; isFromCache: boolean }> {
  const isOwnBot = kind === 'bak' && botId === ownerId;
  const ownerKey = (isOfAccount(kind) ? accountKey : { bak: botKey, iak: integrationKey }[kind])(ownerId);
  const keys = [
    tokenKeyOf(kind, ownerId, hash),
    ownerKey,
    ...(botId !== undefined && isUuid(botId) && !isOwnBot ? [botKey(botId)] : []),
  ];
  const {
    items: [tokenItem, ownerItem, botItem],
    isFromCache,
  } = await readThroughCache(keys, nowMs, isFresh);
  const token = tokenItem && tokenOf(tokenItem);
  const { limitedTo } = token ?? {};
  const limitKeys = [
    ...(limitedTo?.grantedBy ?? []).map(accountKey),
    ...(limitedTo?.singleSignOnId === undefined ? [] : [singleSignOnKey(limitedTo.workspaceId)]),
  ];
  const limits = limitKeys.length > 0 ? await readThroughCache(limitKeys, nowMs, isFresh) : undefined;
  const grantors = limits?.items.slice(0, limitedTo?.grantedBy.length) ?? [];
  const singleSignOn = limits?.items[grantors.length];
  const owner = ownerItem && ownerOf(kind, ownerId, ownerItem);
  const ownBot = isOwnBot && owner?.kind === 'bot' ? owner.bot : undefined;
  return {
    records: {
      token,
      owner,
      bot: ownBot ?? (botItem && botOf(botItem)),
      grantors: grantors.flatMap(item => (item ? [accountOf(item)] : [])),
      singleSignOnId: singleSignOn && String(singleSignOn.id),
    },
    isFromCache: isFromCache || limits?.isFromCache === true,
  };
}

function ownerOf(kind: TokenKind, ownerId: string, item: Item): TokenOwner {
  if (isOfAccount(kind)) return { kind: 'account', account: accountOf(item) };
  return kind === 'bak' ? { kind: 'bot', bot: botOf(item) } : { kind: 'integration', integrationId: ownerId };
}

/** Absence is not cached, so that a new token works immediately. */
async function readThroughCache(keys: readonly Key[], nowMs: number, isFresh: boolean) {
  const names = keys.map(({ pk, sk }) => `${pk} ${sk}`);
  const known = names.map(name => {
    const entry = isFresh ? undefined : cache.get(name);
    return entry && entry.untilMs > nowMs ? entry.item : undefined;
  });
  const missing = keys.filter((_, i) => !known[i]);
  const read = missing.length > 0 ? await readItems(missing) : [];
  let next = 0;
  const items = known.map((item, i) => {
    if (item) return item;
    const found = read[next++];
    if (!found) {
      cache.delete(names[i]!);
      return undefined;
    }
    if (cache.size >= CACHED_ITEMS) cache.clear();
    cache.set(names[i]!, { item: found, untilMs: nowMs + CALLER_CACHE_MS });
    return found;
  });
  return { items, isFromCache: missing.length < keys.length };
}

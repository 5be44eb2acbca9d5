/**
 * Sessions of signed-in people. A session ends some days after its last use, which {@link recordUse} records, and at
 * most {@link SESSION_MAX_MS} after it began. It never exceeds the token that created it, and is deleted with it.
 */
import { ApiError } from '#shared/core/errors.ts';
import { unconditional, type Write, WriteConflict, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { endOf, listTokens, mintToken, removeToken, type Token, tokenKeyOf, type WorkspaceLimit } from './tokens.ts';

export const SESSIONS_LIMIT = 50;
export const SESSION_MAX_MS = 90 * 24 * 3_600_000;

/** The provider decides again after this time whether a person may sign in. */
export const SINGLE_SIGN_ON_SESSION_MS = 12 * 3_600_000;

/** Concurrent sign-ins may exceed the limit until the next one. A transaction has at most 100 writes. */
const MAX_REMOVALS = 90;

export async function listSessions(accountId: string, nowMs: number): Promise<Token[]> {
  return (await listTokens('ses', accountId)).filter(session => endOf(session) > nowMs);
}

interface NewSession {
  note: string;
  creator: Token | undefined;
  limitedTo?: WorkspaceLimit | undefined;
  maxMs?: number;
  nowMs: number;
}

export const newSession = (
  accountId: string,
  { note, creator, limitedTo, maxMs = SESSION_MAX_MS, nowMs }: NewSession,
) =>
  mintToken('ses', accountId, {
    note,
    scopes: creator?.scopes,
    expiresAtMs: Math.min(nowMs + maxMs, creator?.expiresAtMs ?? Number.POSITIVE_INFINITY),
    session: { tokenId: creator?.id, rightsEndAtMs: creator?.expiresAtMs },
    limitedTo,
    // The sign-in is the first use.
    lastUsedAtMs: nowMs,
    nowMs,
  });

/**
 * Creates a session with the rights of a personal access token, or with those of the account. Ends the least recently
 * used sessions above the limit.
 */
export async function startSession(
  accountId: string,
  made: NewSession,
): Promise<{ value: string; session: Token; writes: Write[] }> {
  const { creator, limitedTo, nowMs } = made;
  // Sessions of a member's links never end those of the person.
  const existing = (await listTokens('ses', accountId)).filter(
    each => each.limitedTo?.workspaceId === limitedTo?.workspaceId,
  );
  const latestFirst = existing.sort((a, b) => useOf(b) - useOf(a));
  const kept = latestFirst.filter(session => endOf(session) > nowMs).slice(0, SESSIONS_LIMIT - 1);
  const ended = latestFirst.filter(session => !kept.includes(session)).slice(0, MAX_REMOVALS);
  const minted = newSession(accountId, made);
  return {
    value: minted.value,
    session: minted.token,
    writes: [
      minted.write,
      ...ended.map(session => ({ ...removeToken('ses', accountId, session), onRefused: () => new WriteConflict() })),
      ...(creator ? [noteSession(accountId, creator, minted.token)] : []),
    ],
  };
}

const useOf = ({ lastUsedAtMs = 0 }: Token) => lastUsedAtMs;

/** Makes a concurrent {@link removePersonalToken}, which read the token's sessions before, read them again. */
const noteSession = (accountId: string, { id, hash }: Token, session: Token): Write => ({
  update: {
    Key: tokenKeyOf('pat', accountId, hash),
    UpdateExpression: 'SET lastSessionId = :session',
    ConditionExpression: 'id = :id',
    ExpressionAttributeValues: { ':id': id, ':session': session.id },
  },
  onRefused: () => new ApiError('Unauthorized', 'The token was revoked during the call.'),
});

/** Removes a personal access token with all sessions that it created, even those that are being created. */
export async function removePersonalToken(accountId: string, token: Token): Promise<Write[]> {
  const sessions = (await listTokens('ses', accountId)).filter(({ session }) => session?.tokenId === token.id);
  const removals = sessions.map(
    ({ hash }): Write => ({ remove: { Key: tokenKeyOf('ses', accountId, hash) }, onRefused: unconditional }),
  );
  for (const removal of removals.splice(MAX_REMOVALS)) await write([removal]);
  const { lastSessionId } = token;
  const removal = removeToken('pat', accountId, token);
  return [
    {
      remove: {
        Key: tokenKeyOf('pat', accountId, token.hash),
        ConditionExpression: `id = :id AND ${lastSessionId === undefined ? 'attribute_not_exists(lastSessionId)' : 'lastSessionId = :session'}`,
        ExpressionAttributeValues: {
          ':id': token.id,
          ...(lastSessionId === undefined ? {} : { ':session': lastSessionId }),
        },
      },
      onRefused: existing => (existing?.id === token.id ? new WriteConflict() : removal.onRefused(existing)),
    },
    ...removals,
  ];
}

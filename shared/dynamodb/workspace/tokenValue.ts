/**
 * Tokens: `bp_pat_`, `bp_bak_` or `bp_iak_` and 36 characters (FACTS 1.7): 22 that name the owner, so that one read
 * finds the token together with whom it belongs to, and 14 random ones (84 bits). Stored only as a hash.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { ApiError } from '#shared/errors.ts';
import { encodeTime, hashText, randomText } from '#shared/ids.ts';

/** A personal access token, a bot's key, an integration's key. */
export type TokenKind = 'pat' | 'bak' | 'iak';

const OWNER_LENGTH = 22;
const SECRET_LENGTH = 14;
const TOKEN = new RegExp(`^bp_(pat|bak|iak)_([A-Za-z0-9_-]{${OWNER_LENGTH}})[A-Za-z0-9_-]{${SECRET_LENGTH}}$`);
const INTEGRATION = 'intver_';

export const hashToken = (value: string) => hashText('token', value);

/** The value of a new token, to be shown once. @param ownerId an account's or bot's UUID, or an integration's id */
export const newTokenValue = (kind: TokenKind, ownerId: string) =>
  `bp_${kind}_${ownerCode(kind, ownerId)}${randomBytes(SECRET_LENGTH).toString('base64url').slice(0, SECRET_LENGTH)}`;

const ownerCode = (kind: TokenKind, ownerId: string) =>
  kind === 'iak'
    ? ownerId.slice(INTEGRATION.length)
    : Buffer.from(ownerId.replaceAll('-', ''), 'hex').toString('base64url');

/** 36 characters, which name the owner too: the contract deletes a key by its id alone. */
export const newTokenId = (kind: TokenKind, ownerId: string, nowMs: number) =>
  `${kind}_${ownerCode(kind, ownerId)}${encodeTime(nowMs)}${randomText(3)}`;

/** Whose token has this id; undefined when it is no such id. */
export function ownerOfTokenId(kind: TokenKind, id: string): string | undefined {
  const [, code] = new RegExp(`^${kind}_([A-Za-z0-9_-]{${OWNER_LENGTH}})[0-9A-Za-z]{10}$`).exec(id) ?? [];
  return code && ownerOf(kind, code);
}

/** What a token says of itself, before anything is known of it; undefined when it is none. */
export function parseToken(value: string): { kind: TokenKind; ownerId: string; hash: string } | undefined {
  const [, kind, code] = TOKEN.exec(value) ?? [];
  if (!kind || !code) return undefined;
  return { kind: kind as TokenKind, ownerId: ownerOf(kind as TokenKind, code), hash: hashToken(value) };
}

const ownerOf = (kind: TokenKind, code: string) => (kind === 'iak' ? INTEGRATION + code : uuidOf(code));

function uuidOf(code: string): string {
  const hex = Buffer.from(code, 'base64url').toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Compares in a time that does not tell how much of a guess was right. */
export const isSameHash = (a: string, b: string) =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

/** The token of `Authorization: Bearer …`. @throws ApiError Unauthorized when there is none */
export function bearerToken(authorization: string | undefined): string {
  const [, value] = /^Bearer +(\S+)$/i.exec(authorization?.trim() ?? '') ?? [];
  if (!value) throw new ApiError('Unauthorized', 'The header Authorization: Bearer <token> is missing.');
  return value;
}

/**
 * `bp_<kind>_`, 22 characters of the owner, and 14 random characters (84 bits), stored as a hash
 * (docs/api/admin.md#tokens).
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { encodeTime, hashText, randomText } from '#shared/core/ids.ts';

/** Tokens of an account: a personal access token, a session of a signed-in person, the token of a sign-in link. */
export const ACCOUNT_TOKENS = ['pat', 'ses', 'lnk'] as const;
type AccountTokenKind = (typeof ACCOUNT_TOKENS)[number];
/** Keys of bots and integrations. */
export type KeyKind = 'bak' | 'iak';
export type TokenKind = AccountTokenKind | KeyKind;

export const isOfAccount = (kind: TokenKind): kind is AccountTokenKind => kind !== 'bak' && kind !== 'iak';

const OWNER_LENGTH = 22;
const SECRET_LENGTH = 14;
const TOKEN = new RegExp(`^bp_(pat|ses|lnk|bak|iak)_([A-Za-z0-9_-]{${OWNER_LENGTH}})[A-Za-z0-9_-]{${SECRET_LENGTH}}$`);
const INTEGRATION = 'intver_';

export const hashToken = (value: string) => hashText('token', value);

export const newTokenValue = (kind: TokenKind, ownerId: string) =>
  `bp_${kind}_${ownerCode(kind, ownerId)}${randomBytes(SECRET_LENGTH).toString('base64url').slice(0, SECRET_LENGTH)}`;

const ownerCode = (kind: TokenKind, ownerId: string) =>
  kind === 'iak'
    ? ownerId.slice(INTEGRATION.length)
    : Buffer.from(ownerId.replaceAll('-', ''), 'hex').toString('base64url');

/** Contains the owner, because the contract deletes a key by its id alone. */
export const newTokenId = (kind: TokenKind, ownerId: string, nowMs: number) =>
  `${kind}_${ownerCode(kind, ownerId)}${encodeTime(nowMs)}${randomText(3)}`;

export function ownerOfTokenId(kind: TokenKind, id: string): string | undefined {
  const [, code] = new RegExp(`^${kind}_([A-Za-z0-9_-]{${OWNER_LENGTH}})[0-9A-Za-z]{10}$`).exec(id) ?? [];
  return code && ownerOf(kind, code);
}

/** Returns the unverified kind and owner of a token, or undefined if it is malformed. */
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

export const isSameHash = (a: string, b: string) =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

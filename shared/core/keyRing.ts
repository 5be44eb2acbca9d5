/**
 * The keys that seal stored secrets (`shared/storage/dynamodb/secrets/sealed.ts`): one, or two while
 * `npm run rotate:key` replaces it. The first key seals. Each key opens the secrets that it sealed. The environment and
 * the secret store hold the ring as text.
 *
 * | text                      | state                                                                      |
 * |---------------------------|----------------------------------------------------------------------------|
 * | `next:<current>.<next>`   | A rotation began. Functions receive the next key before it seals anything. |
 * | `keys:<current>.<former>` | The new key seals. Secrets of the former key are being re-sealed.          |
 * | any other text            | One key.                                                                   |
 */
import { hkdfSync } from 'node:crypto';

const STATES = ['next', 'keys'] as const;
const ID_BYTES = 4;

export interface RingKey {
  /** Eight hexadecimal digits, derived from the secret. Sealed texts carry it. */
  id: string;
  secret: string;
}

export interface KeyRing {
  state: 'single' | (typeof STATES)[number];
  /** The key that seals. */
  current: RingKey;
  /** The next or the former key; undefined in the state `single`. */
  other: RingKey | undefined;
}

/** Memoizes the last ring, because a function uses one for its lifetime. */
let last: { text: string; ring: KeyRing } | undefined;

/** Parses the text of a ring. @throws Error for an empty key */
export function parseKeyRing(text: string): KeyRing {
  if (last?.text !== text) last = { text, ring: parsed(text) };
  return last.ring;
}

function parsed(text: string): KeyRing {
  const state = STATES.find(name => text.startsWith(`${name}:`));
  if (!state) return { state: 'single', current: keyOf(text), other: undefined };
  const [current = '', other = ''] = text.slice(state.length + 1).split('.');
  const decoded = (part: string) => keyOf(Buffer.from(part, 'base64url').toString());
  return { state, current: decoded(current), other: decoded(other) };
}

function keyOf(secret: string): RingKey {
  if (secret === '') throw new Error('The sealing key is empty.');
  return { id: Buffer.from(hkdfSync('sha256', secret, '', 'parley key id', ID_BYTES)).toString('hex'), secret };
}

/** Returns the text of a ring of two keys. */
export const formatKeyRing = (state: 'next' | 'keys', current: RingKey, other: RingKey): string =>
  `${state}:${[current, other].map(({ secret }) => Buffer.from(secret).toString('base64url')).join('.')}`;

/** Returns a ring's state and the ids of its keys, which may be logged. */
export const describeKeyRing = (text: string): string => {
  const { state, current, other } = parseKeyRing(text);
  return [state, current.id, ...(other ? [other.id] : [])].join(' ');
};

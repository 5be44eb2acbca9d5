/**
 * The keys that seal stored secrets (`shared/storage/dynamodb/secrets/sealed.ts`): one, or two while `npm run rotate:key` replaces it. The first one
 * seals, and each opens what it sealed. The text of a ring is what the environment and the secret store hold.
 *
 * | text                     | state                                                                    |
 * |--------------------------|--------------------------------------------------------------------------|
 * | any other                | one key                                                                  |
 * | `next:<current>.<next>`  | a rotation began: functions learn the next key before anything has it    |
 * | `keys:<current>.<former>`| the next key seals, and secrets that the former one sealed are re-sealed |
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
  /** Seals. */
  current: RingKey;
  /** The next or the former key; undefined in the state `single`. */
  other: RingKey | undefined;
}

/** The last ring that was parsed: a function has one. */
let last: { text: string; ring: KeyRing } | undefined;

/** @throws Error for an empty key */
export function parseKeyRing(text: string): KeyRing {
  if (last?.text !== text) last = { text, ring: parsed(text) };
  return last.ring;
}

function parsed(text: string): KeyRing {
  const state = STATES.find(name => text.startsWith(`${name}:`));
  if (!state) return { state: 'single', current: keyOf(text), other: undefined };
  const [current, other] = text
    .slice(state.length + 1)
    .split('.')
    .map(part => keyOf(Buffer.from(part, 'base64url').toString()));
  return { state, current: current!, other: other ?? keyOf('') };
}

function keyOf(secret: string): RingKey {
  if (secret === '') throw new Error('The sealing key is empty.');
  return { id: Buffer.from(hkdfSync('sha256', secret, '', 'parley key id', ID_BYTES)).toString('hex'), secret };
}

/** The text of a ring of two keys. */
export const formatKeyRing = (state: 'next' | 'keys', current: RingKey, other: RingKey): string =>
  `${state}:${[current, other].map(({ secret }) => Buffer.from(secret).toString('base64url')).join('.')}`;

/** A ring's state and the ids of its keys, which are no secrets. */
export const describeKeyRing = (text: string): string => {
  const { state, current, other } = parseKeyRing(text);
  return [state, current.id, ...(other ? [other.id] : [])].join(' ');
};

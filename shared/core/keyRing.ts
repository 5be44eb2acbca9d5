/**
 * Key ring that seals stored secrets (`shared/storage/dynamodb/secrets/sealed.ts`). It has a second key while
 * `npm run rotate:key` runs. The environment and the secret store hold the ring as text:
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
  id: string;
  secret: string;
}

export interface KeyRing {
  state: 'single' | (typeof STATES)[number];
  current: RingKey;
  other: RingKey | undefined;
}

let last: { text: string; ring: KeyRing } | undefined;

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
  if (secret === '') throw new Error('The sealing key is empty. Set SEALING_KEY.');
  return { id: Buffer.from(hkdfSync('sha256', secret, '', 'parley key id', ID_BYTES)).toString('hex'), secret };
}

export const formatKeyRing = (state: 'next' | 'keys', current: RingKey, other: RingKey): string =>
  `${state}:${[current, other].map(({ secret }) => Buffer.from(secret).toString('base64url')).join('.')}`;

export const describeKeyRing = (text: string): string => {
  const { state, current, other } = parseKeyRing(text);
  return [state, current.id, ...(other ? [other.id] : [])].join(' ');
};

/** Replaces the sealing key while the platform runs: see docs/operations.md#rotating-the-sealing-key. */

import { describeKeyRing, formatKeyRing, parseKeyRing } from '#shared/core/keyRing.ts';
import type { ResealCounts } from '#shared/storage/dynamodb/secrets/resealSecrets.ts';

/** A platform whose key is replaced. */
export interface RotationTarget {
  /** The text of the stored key ring. */
  readRing(): Promise<string>;
  /** Stores a ring, unless it is stored already, and returns once every function that has the sealing key uses it. Idempotent. */
  useRing(text: string): Promise<void>;
  /** The longest time that calls which started with the ring before may go on. */
  callsEndAfterMs: number;
}

interface Steps {
  newSecret(): string;
  /** Re-seals what the given ring's current key did not seal. */
  reseal(ring: string): Promise<ResealCounts>;
  sleep(ms: number): Promise<unknown>;
  say(line: string): void;
}

/**
 * Takes the platform from its key to a new one, in steps that can be repeated. The stored ring says how far an earlier run came.
 *
 * 1. Every function learns the next key, which seals nothing yet.
 * 2. The next key becomes current. The former one still opens what it sealed.
 * 3. After the last call that sealed with the former key, stored secrets are re-sealed until a pass finds none.
 * 4. The former key is dropped.
 */
export async function rotateKey(target: RotationTarget, { newSecret, reseal, sleep, say }: Steps): Promise<void> {
  const found = await target.readRing();
  const use = async (text: string, purpose: string) => {
    say(`${purpose}: ${describeKeyRing(text)}`);
    await target.useRing(text);
    return parseKeyRing(text);
  };
  let ring = parseKeyRing(found);
  if (ring.state === 'single') {
    const next = parseKeyRing(newSecret()).current;
    ring = await use(formatKeyRing('next', ring.current, next), 'Adding a key');
  } else {
    // An earlier run may have stored this ring without reaching every function.
    ring = await use(found, 'Continuing with');
  }
  if (ring.state === 'next') {
    ring = await use(formatKeyRing('keys', ring.other!, ring.current), 'Sealing with the new key');
  }
  const text = formatKeyRing('keys', ring.current, ring.other!);
  say(`Waiting ${Math.round(target.callsEndAfterMs / 1000)} s for calls that may seal with the former key`);
  await sleep(target.callsEndAfterMs);
  for (let pass = 1; ; pass++) {
    const { owners, secrets } = await reseal(text);
    say(`Pass ${pass}: ${secrets} secrets of ${owners} bots, integrations and webhooks re-sealed`);
    if (secrets === 0) break;
  }
  await use(ring.current.secret, 'Dropping the former key');
}

import { describeKeyRing, formatKeyRing, parseKeyRing } from '#shared/core/keyRing.ts';
import type { ResealCounts } from '#shared/storage/dynamodb/maintenance/resealSecrets.ts';

export interface RotationTarget {
  readRing(): Promise<string>;
  /** Stores a ring and resolves when every function with the sealing key uses it. Idempotent. */
  useRing(text: string): Promise<void>;
  longestCallMs: number;
}

interface Steps {
  newSecret(): string;
  /** Re-seals the secrets that the ring's current key did not seal. */
  reseal(ring: string): Promise<ResealCounts>;
  sleep(ms: number): Promise<unknown>;
  say(line: string): void;
}

/**
 * Replaces the sealing key in four steps. The stored ring records the progress, so a run continues where an earlier
 * one stopped.
 *
 * 1. Adds a key, which opens secrets and seals none.
 * 2. Makes it the current key. The former key still opens secrets.
 * 3. Re-seals stored secrets until a pass finds none of the former key.
 * 4. Drops the former key.
 *
 * Steps 2 and 3 start after the last call that uses the ring of the step before.
 */
export async function rotateKey(target: RotationTarget, { newSecret, reseal, sleep, say }: Steps): Promise<void> {
  let text = await target.readRing();
  const use = async (ring: string, purpose: string) => {
    text = ring;
    say(`${purpose}: ${describeKeyRing(ring)}`);
    await target.useRing(ring);
  };
  const callsEnd = () => {
    say(`Waiting ${target.longestCallMs / 1000} s for calls in progress`);
    return sleep(target.longestCallMs);
  };

  const { state, current } = parseKeyRing(text);
  // An interrupted run may have stored a ring that some functions do not use yet.
  if (state !== 'single') await use(text, 'Continuing with');
  else await use(formatKeyRing('next', current, parseKeyRing(newSecret()).current), 'Adding a key');

  const added = parseKeyRing(text);
  await callsEnd();
  if (added.state === 'next') {
    await use(formatKeyRing('keys', added.other!, added.current), 'Sealing with the new key');
    await callsEnd();
  }

  for (let pass = 1; ; pass++) {
    const { owners, secrets } = await reseal(text);
    say(`Pass ${pass}: ${secrets} secrets of ${owners} bots, integrations and webhooks re-sealed`);
    if (secrets === 0) break;
  }
  await use(parseKeyRing(text).current.secret, 'Dropping the former key');
}

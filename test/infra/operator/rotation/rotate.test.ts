/**
 * Tests the rotation of the sealing key while functions use different rings, calls are in progress, and the command
 * crashes at any step.
 */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type RotationTarget, rotateKey } from '#infra/operator/rotation/rotate.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import { parseKeyRing } from '#shared/core/keyRing.ts';
import {
  isSealedWithCurrentKey,
  openText,
  type SealedPlace,
  sealText,
} from '#shared/storage/dynamodb/secrets/sealed.ts';

const PLACE: SealedPlace = { owner: 'bot', field: 'secrets.A' };
const FUNCTIONS = 3;

class Crash extends Error {}

afterEach(() => vi.unstubAllEnvs());

/**
 * Simulates a platform of three functions in memory. `rotate(n)` crashes the command at step n; `rotate()` completes.
 */
function startWorld() {
  let ring = 'the key of the deployment';
  const rings = Array.from({ length: FUNCTIONS }, () => ring);
  /** Rings of calls in progress, which began before their function received another ring. */
  let inProgress: string[] = [];
  let stored: string[] = [];
  let step = 0;
  let crashAt = 0;
  const as = <T>(text: string, run: () => T): T => {
    vi.stubEnv(VARIABLES.sealingKey, text);
    return run();
  };
  /** Opens all secrets and stores one in each function and each call in progress. Then the command may crash. */
  const tick = () => {
    for (const own of [...rings, ...inProgress]) {
      for (const text of stored) as(own, () => expect(openText(text, PLACE)).toBe('secret'));
      stored.push(as(own, () => sealText('secret', PLACE)));
    }
    if (++step === crashAt) throw new Crash();
  };
  const target: RotationTarget = {
    longestCallMs: 60_000,
    readRing: async () => ring,
    useRing: async text => {
      tick();
      ring = text;
      for (const i of rings.keys()) {
        tick();
        inProgress.push(rings[i]!);
        rings[i] = text;
      }
      tick();
    },
  };
  const sleep = vi.fn(async (_ms: number) => {
    inProgress = [];
    tick();
  });
  const lines: string[] = [];
  const rotate = (stopAt = 0) => {
    step = 0;
    crashAt = stopAt;
    return rotateKey(target, {
      newSecret: () => `the new key ${Math.random()}`,
      reseal: async text => {
        let secrets = 0;
        const next: string[] = [];
        for (const sealed of stored) {
          next.push(
            as(text, () => {
              if (isSealedWithCurrentKey(sealed)) return sealed;
              secrets++;
              return sealText(openText(sealed, PLACE), PLACE);
            }),
          );
        }
        stored = next;
        if (secrets > 0) tick();
        return { owners: stored.length, secrets };
      },
      sleep,
      say: line => void lines.push(line),
    });
  };
  const opensAll = (text: string) => as(text, () => stored.every(sealed => openText(sealed, PLACE) === 'secret'));
  return { rotate, opensAll, sleep, lines, ring: () => ring, rings, steps: () => step };
}

describe('the rotation of the sealing key', () => {
  it('ends with a new key that decrypts every secret, in every function', async () => {
    const world = startWorld();
    const before = world.ring();

    await world.rotate();

    expect(world.ring()).not.toBe(before);
    expect(parseKeyRing(world.ring()).state).toBe('single');
    expect(world.rings).toEqual(Array.from({ length: FUNCTIONS }, () => world.ring()));
    expect(world.opensAll(world.ring())).toBe(true);
  });

  it('waits for calls in progress before it seals with the new key, and before it re-seals', async () => {
    const world = startWorld();

    await world.rotate();

    expect(world.sleep.mock.calls).toEqual([[60_000], [60_000]]);
  });

  it('prints the ids of keys, but no key', async () => {
    const world = startWorld();

    await world.rotate();

    expect(world.lines.join('\n')).toMatch(/^Adding a key: next [0-9a-f]{8} [0-9a-f]{8}$/m);
    expect(world.lines.join('\n')).not.toContain('the new key 0');
  });

  it('completes when repeated after a crash at any step, while every function can decrypt every secret', async () => {
    const full = startWorld();
    await full.rotate();

    for (let crashAt = 1; crashAt <= full.steps(); crashAt++) {
      const world = startWorld();
      const before = world.ring();

      await expect(world.rotate(crashAt), `step ${crashAt}`).rejects.toThrow(Crash);
      await world.rotate();

      expect(parseKeyRing(world.ring()).state, `step ${crashAt}`).toBe('single');
      expect(world.ring()).not.toBe(before);
      expect(new Set(world.rings), `step ${crashAt}`).toEqual(new Set([world.ring()]));
      expect(world.opensAll(world.ring()), `step ${crashAt}`).toBe(true);
    }
  });
});

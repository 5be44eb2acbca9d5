/** The sealing key of the platform that `npm start` runs. */
import { localSealingKey, replaceLocalSealingKey } from '#infra/local/sealingKey.ts';
import { readLocalServices } from '#infra/local/servicesFile.ts';
import { stateDirectory } from '#infra/local/state.ts';
import { UsageError } from '#infra/operator/target.ts';
import { clock } from '#shared/core/clock.ts';
import { describeKeyRing } from '#shared/core/keyRing.ts';
import type { RotationTarget } from './rotate.ts';

/** All functions of a local platform run in one process, and no request takes longer. */
const CALLS_END_AFTER_MS = 2_000;
const POLL_MS = 100;
const TAKEN_WITHIN_MS = 20_000;

export const localRotation: RotationTarget = {
  callsEndAfterMs: CALLS_END_AFTER_MS,
  readRing: () => localSealingKey(stateDirectory),

  /** @throws UsageError when no running platform takes the key */
  useRing: async text => {
    if ((await localSealingKey(stateDirectory)) !== text) replaceLocalSealingKey(stateDirectory, text);
    const wanted = describeKeyRing(text);
    for (let waitedMs = 0; (await readLocalServices())?.keyRing !== wanted; waitedMs += POLL_MS) {
      if (waitedMs >= TAKEN_WITHIN_MS) {
        throw new UsageError(
          'The local platform did not take the new key. Start it with npm start, and run this again.',
        );
      }
      await clock.sleep(POLL_MS);
    }
  },
};

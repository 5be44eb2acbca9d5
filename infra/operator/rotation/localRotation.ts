import { localSealingKey, replaceLocalSealingKey } from '#infra/local/localSealingKey.ts';
import { readLocalServices } from '#infra/local/servicesFile.ts';
import { UsageError } from '#infra/operator/target/target.ts';
import { stateDirectory } from '#infra/settings/stateDirectory.ts';
import { clock } from '#shared/core/clock.ts';
import { describeKeyRing } from '#shared/core/keyRing.ts';
import type { RotationTarget } from './rotate.ts';

/** Local functions read the key when they use it, so only writes in progress use an old key. */
const MAX_CALL_MS = 2_000;
const POLL_MS = 100;
const TAKEN_WITHIN_MS = 20_000;

export const localRotation: RotationTarget = {
  longestCallMs: MAX_CALL_MS,
  readRing: () => localSealingKey(stateDirectory),

  useRing: async text => {
    if ((await localSealingKey(stateDirectory)) !== text) replaceLocalSealingKey(stateDirectory, text);
    const wanted = describeKeyRing(text);
    for (let waitedMs = 0; (await readLocalServices())?.keyRing !== wanted; waitedMs += POLL_MS) {
      if (waitedMs >= TAKEN_WITHIN_MS) {
        throw new UsageError('No local platform uses the new key. Run npm start, then repeat this command.');
      }
      await clock.sleep(POLL_MS);
    }
  },
};

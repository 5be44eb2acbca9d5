/** `npm run rotate:key`: replaces the key that seals stored secrets, while the platform runs. */
import { randomBytes } from 'node:crypto';
import { runCommand, targetOptions, useTarget } from '#infra/operator/target/target.ts';
import { parseCommand } from '#infra/settings/commandLine.ts';
import { clock } from '#shared/core/clock.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import { resealSecrets } from '#shared/storage/dynamodb/maintenance/resealSecrets.ts';
import { localRotation } from './rotation/localRotation.ts';
import { rotateKey } from './rotation/rotate.ts';
import { stackRotation } from './rotation/stackRotation.ts';

const KEY_BYTES = 36;

const USAGE =
  'npm run rotate:key [-- --stack Parley | --local]\\nReplaces the key that seals stored secrets, while the platform runs.';

await runCommand(async () => {
  const { values } = parseCommand(USAGE, { options: targetOptions });
  await useTarget(values);
  await rotateKey(values.local ? localRotation : await stackRotation(values.stack), {
    newSecret: () => randomBytes(KEY_BYTES).toString('base64url'),
    reseal: ring => {
      process.env[VARIABLES.sealingKey] = ring;
      return resealSecrets();
    },
    sleep: ms => clock.sleep(ms),
    say: line => process.stdout.write(`${line}\n`),
  });
});

/** `npm run reset`: deletes the data of the local platform, unless it is running. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { StartupError } from '#infra/local/runtime/service.ts';
import { stateDirectory } from '#infra/settings/stateDirectory.ts';
import { lockState } from './stateLock.ts';

try {
  // Holds the lock until everything is deleted, so that no platform starts during the deletion.
  const lock = existsSync(stateDirectory) ? lockState(stateDirectory) : undefined;
  await rm(stateDirectory, { recursive: true, force: true });
  lock?.release();
  process.stdout.write(`Removed ${stateDirectory}.\n`);
} catch (error) {
  if (!(error instanceof StartupError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

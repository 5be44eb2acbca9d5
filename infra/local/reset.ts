/** `npm run reset`: deletes the data of the local platform, unless it is running. */
import { existsSync, readdirSync } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupError } from '#infra/local/runtime/service.ts';
import { printHelp } from '#infra/settings/commandLine.ts';
import { STATE_ENTRIES, stateDirectory } from '#infra/settings/stateDirectory.ts';
import { lockState } from './stateLock.ts';

/** Files that every started platform has. */
const MARKS = ['local.json', 'process.json'];

const entries = () => (existsSync(stateDirectory) ? readdirSync(stateDirectory) : []);

printHelp('npm run reset\nDeletes the data of the local platform, which must not be running.', 'local');

try {
  // `PARLEY_DIR` may name any folder, such as a home.
  if (entries().some(name => MARKS.includes(name))) await reset();
  else process.stdout.write(`${stateDirectory} has no data of Parley. Nothing was removed.\n`);
} catch (error) {
  if (!(error instanceof StartupError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function reset(): Promise<void> {
  // Holds the lock until everything is deleted, so that no platform starts during the deletion.
  const lock = lockState(stateDirectory);
  for (const name of entries()) {
    if (STATE_ENTRIES.has(name)) await rm(join(stateDirectory, name), { recursive: true, force: true });
  }
  lock.release();
  const kept = entries();
  if (kept.length === 0) {
    await rmdir(stateDirectory);
    process.stdout.write(`Removed ${stateDirectory}.\n`);
  } else {
    process.stdout.write(`Removed the data of Parley in ${stateDirectory}. Kept: ${kept.join(', ')}.\n`);
  }
}

/** Creates a temporary folder per test run, which is removed when the run ends. */
import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** Maximum size of a run's files. */
const ROOM_BYTES = 4 * 1024 ** 3;
const PREFIX = 'parley-run-';

/**
 * Creates the folder, in memory if possible, and sets `TMPDIR`. Writes to disk wait for a sync. CDK and bundlers leave
 * files, which would fill the memory after some runs.
 */
export function useTemporaryFolder(): void {
  const parent = process.env.TMPDIR === undefined && hasRoom() ? MEMORY : tmpdir();
  removeLeftFolders(parent);
  const folder = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
  process.env.TMPDIR = folder;
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
}

function hasRoom(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > ROOM_BYTES;
}

/** Removes the folders of runs that were killed. */
function removeLeftFolders(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? [];
    if (pid && !isRunning(Number(pid))) rmSync(join(parent, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user counts as running.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

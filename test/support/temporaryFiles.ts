/** The temporary files of a run of the tests: in a folder of its own, which ends with the run. */
import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** What a run may need. */
const ROOM_BYTES = 4 * 1024 ** 3;
const PREFIX = 'parley-run-';

/**
 * Makes the folder and points `TMPDIR` at it. It is in memory if there is room, because each write to disk waits for a sync. CDK and
 * bundlers leave what they write, which would fill the memory after some runs.
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
    // The process of another user is running, too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createPrivateFolder, denyOthers } from '#infra/local/privateFolder.ts';
import { replaceFile } from '#infra/local/runtime/replaceFile.ts';
import { StartupError } from '#infra/local/runtime/service.ts';

interface Holder {
  pid: number;
  url?: string;
}

export interface StateLock {
  /** Stores this process's URL, which other processes include in their error. */
  setUrl(url: string): void;
  release(): void;
}

/** Keeps locks referenced. The garbage collector closes an unreferenced database, which releases its lock. */
const held = new Set<DatabaseSync>();

const LOCK_FILE = 'lock';
const holderFile = (directory: string) => join(directory, 'process.json');

/**
 * Locks a state directory until the lock is released or the process exits. SQLite locks the open file, and the
 * operating system releases that lock even if the process is killed.
 * @throws StartupError that names the process which holds the lock
 */
export function lockState(directory: string): StateLock {
  const isOwn = createPrivateFolder(directory, LOCK_FILE);
  const database = new DatabaseSync(join(directory, LOCK_FILE));
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (!/locked|busy/i.test((error as Error).message)) throw error;
    throw new StartupError(
      `Another platform uses ${directory}${nameHolder(directory)}. Stop it, or set PARLEY_DIR to another folder.`,
    );
  }
  const write = (holder: Holder) => replaceFile(holderFile(directory), JSON.stringify(holder));
  held.add(database);
  if (isOwn) denyOthers(directory);
  write({ pid: process.pid });
  return {
    setUrl: url => write({ pid: process.pid, url }),
    release: () => {
      held.delete(database);
      database.close();
    },
  };
}

/** Returns ` (pid 17, http://127.0.0.1:4100)`, or an empty text if the holder has not written its file yet. */
function nameHolder(directory: string): string {
  try {
    const { pid, url }: Holder = JSON.parse(readFileSync(holderFile(directory), 'utf8'));
    return ` (pid ${pid}${url === undefined ? '' : `, ${url}`})`;
  } catch {
    return '';
  }
}

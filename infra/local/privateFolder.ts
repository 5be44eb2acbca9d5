/** The state folder holds tokens, keys and messages, so other users of the machine may not read it. */
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { modelsDirectory } from '#infra/settings/stateDirectory.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const OTHERS = 0o077;

/** Denies other users every file that this process and its child processes create. */
export const denyOthersNewFiles = (): void => void process.umask(OTHERS);

/** Creates a folder for this user. @returns true if it is new, or contains only files of a platform */
export function createPrivateFolder(directory: string, mark: string): boolean {
  mkdirSync(directory, { recursive: true, mode: FOLDER_MODE });
  const files = readdirSync(directory);
  return files.length === 0 || files.includes(mark);
}

/** Denies other users the files of a folder that an earlier version created. Ignores Windows, which has no modes. */
export function denyOthers(directory: string): void {
  if ((statSync(directory).mode & OTHERS) === 0) return;
  for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (isOfModels(directory, path)) continue;
    if (entry.isDirectory()) chmodSync(path, FOLDER_MODE);
    else if (entry.isFile()) chmodSync(path, FILE_MODE);
  }
  // Runs last: the next start repeats an interrupted run only if other users can still read the folder.
  chmodSync(directory, FOLDER_MODE);
}

/** Models are public, and a layer that contains one must be readable for the functions of a deployment. */
function isOfModels(directory: string, path: string): boolean {
  const models = join(directory, basename(modelsDirectory));
  return path === models || path.startsWith(join(models, '/'));
}

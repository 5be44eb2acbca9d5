/** The sealing key of a local platform, made once and kept beside its data. `npm run rotate:key -- --local` replaces it. */
import { randomBytes } from 'node:crypto';
import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from './replaceFile.ts';

const fileIn = (directory: string) => join(directory, 'sealing.key');

export async function localSealingKey(directory: string): Promise<string> {
  const file = fileIn(directory);
  try {
    await writeFile(file, randomBytes(36).toString('base64url'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFile(file, 'utf8');
}

export const replaceLocalSealingKey = (directory: string, text: string): void =>
  replaceFile(fileIn(directory), text, { mode: 0o600 });

const WATCH_INTERVAL_MS = 250;

/** Calls `onChange` with each new content of the key's file. */
export function watchSealingKey(directory: string, onChange: (text: string) => void): { stop(): Promise<void> } {
  const file = fileIn(directory);
  watchFile(file, { interval: WATCH_INTERVAL_MS, persistent: false }, () => onChange(readFileSync(file, 'utf8')));
  return { stop: async () => unwatchFile(file) };
}

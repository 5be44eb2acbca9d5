/** The local platform's sealing key, generated at the first start and replaced by `npm run rotate:key`. */
import { randomBytes } from 'node:crypto';
import { unwatchFile, watchFile } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '#infra/local/runtime/replaceFile.ts';
import { errorFields, log } from '#shared/core/log.ts';

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

export const replaceLocalSealingKey = (directory: string, text: string): void => replaceFile(fileIn(directory), text);

const WATCH_INTERVAL_MS = 250;

/** Calls `onChange` when the key's file changes. Logs an error of `onChange` and keeps watching. */
export function watchSealingKey(
  directory: string,
  onChange: (text: string) => Promise<void>,
): { stop(): Promise<void> } {
  const file = fileIn(directory);
  const change = async () => {
    try {
      await onChange(await readFile(file, 'utf8'));
    } catch (error) {
      log.error('The new sealing key could not be used.', { error: errorFields(error) });
    }
  };
  watchFile(file, { interval: WATCH_INTERVAL_MS, persistent: false }, change);
  return { stop: async () => unwatchFile(file) };
}

/** The sealing key of a local platform, made once and kept beside its data. */
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export async function localSealingKey(directory: string): Promise<string> {
  const file = join(directory, 'sealing.key');
  try {
    await writeFile(file, randomBytes(36).toString('base64url'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFile(file, 'utf8');
}

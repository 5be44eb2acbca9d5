import { renameSync, writeFileSync } from 'node:fs';

/** Replaces a file atomically. Only this user can read it. */
export function replaceFile(file: string, text: string): void {
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, text, { mode: 0o600 });
  renameSync(unfinished, file);
}

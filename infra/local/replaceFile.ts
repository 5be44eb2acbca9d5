import { renameSync, writeFileSync } from 'node:fs';

/**
 * Writes a file whole or not at all: whoever reads it after this process was killed finds the former text or the new
 * one.
 */
export function replaceFile(file: string, text: string, options: { mode?: number } = {}): void {
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, text, options);
  renameSync(unfinished, file);
}

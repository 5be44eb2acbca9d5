import { renameSync, writeFileSync } from 'node:fs';

export function replaceFile(file: string, text: string, options: { mode?: number } = {}): void {
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, text, options);
  renameSync(unfinished, file);
}

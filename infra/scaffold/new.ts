/**
 * `npm run new -- chat.pinMessage`: creates the files of an operation and registers it. Failing tests name the
 * remaining steps.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { newOperation } from './newOperation.ts';

const ROOT = join(import.meta.dirname, '../..');

try {
  const files = newOperation(process.argv[2] ?? '', {
    exists: path => existsSync(join(ROOT, path)),
    read: path => readFileSync(join(ROOT, path), 'utf8'),
  });
  for (const [path, text] of files) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    writeFileSync(join(ROOT, path), text);
    process.stdout.write(`${path}\n`);
  }
  process.stdout.write('\nCONTRIBUTING.md lists what to decide next: An operation in five minutes.\n');
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

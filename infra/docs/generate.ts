/** `npm run docs`: writes the generated pages and diagrams of the documentation. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { diagrams } from './diagrams.ts';
import { generatedPages } from './generatedPages.ts';

const ROOT = join(import.meta.dirname, '../..');

for (const [path, text] of [...generatedPages(), ...(await diagrams())]) {
  const file = join(ROOT, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  process.stdout.write(`${path}\n`);
}

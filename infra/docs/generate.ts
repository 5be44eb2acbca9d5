/** `npm run docs`: writes the generated pages of the documentation. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { generatedPages } from './pages.ts';

const ROOT = join(import.meta.dirname, '../..');

for (const [path, text] of generatedPages()) {
  const file = join(ROOT, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  process.stdout.write(`${path}\n`);
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

it('quotes the bot of the demo shop', () => {
  const source = read('infra/local/shop/shopBot.ts');

  const [, quoted] = /```ts\n(.*?)```/s.exec(read('docs/demo.md'))!;

  expect(quoted).toBe(source.slice(source.indexOf('import ')));
});

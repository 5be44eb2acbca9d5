/** `npm run test:skips`: lists API tests that a deployment skips, by reason, and groups without tests. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createVitest } from 'vitest/node';
import { API_TESTS } from './apiTests.ts';
import { reasonOf, type Task } from './skipReason.ts';

const ROOT = join(import.meta.dirname, '../..');

// Read by `test/support/platform.ts`. No call is made.
process.env.PARLEY_TARGET = JSON.stringify({
  chatBaseUrl: 'http://127.0.0.1:1',
  apiBaseUrl: 'http://127.0.0.1:1',
  awsChatUrl: 'http://127.0.0.1:1',
});

const say = (text: string) => process.stdout.write(`${text}\n`);

const vitest = await createVitest('test', {
  root: ROOT,
  watch: false,
  includeTaskLocation: true,
  reporters: [{}],
  globalSetup: [],
  silent: true,
});
try {
  const { testModules } = await vitest.collect(API_TESTS, { staticParse: false });
  const reasons = new Map<string, number>();
  let [all, skipped] = [0, 0];
  for (const module of testModules) {
    const lines = readFileSync(module.moduleId, 'utf8').split('\n');
    for (const test of module.children.allTests()) {
      all++;
      if (test.options.mode !== 'skip') continue;
      skipped++;
      const reason = reasonOf(test as unknown as Task, lines) ?? 'unknown';
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    }
  }
  say(`${all} tests in ${testModules.length} files, ${skipped} left out:`);
  for (const [reason, count] of [...reasons].sort((a, b) => b[1] - a[1])) say(`| \`${reason}\` | ${count} |`);
} finally {
  await vitest.close();
}

const isRun = (file: string) => API_TESTS.some(part => file.includes(part));
for (const group of ['chat', 'botChat', 'admin', 'files', 'tables', 'cognitive', 'webhook']) {
  const files = globSync(`test/functions/${group}/**/*.test.ts`, { cwd: ROOT });
  say(`| ${group} | ${files.filter(isRun).length} | ${files.length} |`);
}

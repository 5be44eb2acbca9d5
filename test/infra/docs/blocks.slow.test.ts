/** Runs the code blocks of the documentation as pasted, in a copy of the repository's folder, against `npm start`. */
import { execFile } from 'node:child_process';
import { globSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spawnStart, untilStarted } from '#test/infra/local/startProcess.ts';
import { environmentOf, operate } from '#test/support/commands.ts';
import { type Block, blocksOf, ROOT } from '#test/support/documents.ts';

const run = promisify(execFile);

const FOLLOWED = new Set(
  ['write-a-bot', 'write-an-integration', 'bot-operations', 'versions'].map(name => `docs/${name}.md`),
);

/** Blocks that are not run, by reason. `blocks.test.ts` checks the syntax of every block. */
const NOT_RUN: Record<string, (block: Block) => boolean> = {
  'npm run test:first-hour follows it': ({ page, section }) =>
    (page === 'docs/start.md' && section !== 'On AWS') ||
    FOLLOWED.has(page) ||
    (page === 'README.md' && section === 'Your first bot in five minutes'),
  'test/infra/gateway/examples sends the examples of the reference': ({ page }) => page.startsWith('docs/reference/'),
  'blocks.test.ts compares it with commands that are run': ({ page, section }) =>
    page === 'docs/start.md' && section === 'On AWS',
  'it needs an AWS account': ({ text }) => /^ *(aws|npx cdk|npm run deploy|\w+=\$\(aws) |npm run deploy$/m.test(text),
  'it starts or tests the whole platform': ({ text }) => /^(\w+=\S+ )*(npm (ci|start|test)|git )/m.test(text),
  'test/infra/operator/load.slow.test.ts runs the command': ({ text }) => text.includes('npm run load'),
  'test/infra/operator/erase.slow.test.ts runs the command': ({ text }) => text.includes('npm run erase'),
  'test/infra/operator/reindex.slow.test.ts runs the command': ({ text }) => text.includes('npm run reindex'),
  'test/shared/domain/transfer runs export and import': ({ text }) => /npm run (export|import)/.test(text),
  'test/e2e/hub.ts runs its commands': ({ page }) => page === 'docs/connect-a-channel.md',
  'the demo has no dead letters': ({ text }) => text.includes('redrive -- show'),
  'it is a fragment': ({ language, text }) =>
    ['css', 'html', 'ts', 'json', ''].includes(language) || (language === 'js' && !text.includes('import ')),
};

const blocks = ['README.md', ...globSync('docs/**/*.md', { cwd: ROOT })].flatMap(blocksOf);
const reasonOf = (block: Block) => Object.keys(NOT_RUN).find(reason => NOT_RUN[reason]!(block));
const runnable = blocks.filter(block => reasonOf(block) === undefined);

let folder: string;
let child: ReturnType<typeof spawnStart>['child'];
let filledIn: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-blocks-'));
  for (const entry of readdirSync(ROOT)) if (entry !== '.parley') symlinkSync(join(ROOT, entry), join(folder, entry));
  const started = spawnStart(join(folder, '.parley'));
  ({ child } = started);
  const local = await untilStarted(started, join(folder, '.parley'));
  // Administrator in most of the operator's commands.
  const administrator = ['--email', 'you@example.com', '--workspace', 'Acme'];
  await operate('bootstrap', ['--local', ...administrator], environmentOf(join(folder, '.parley')));
  filledIn = { WORKSPACE: local.workspaceId, BOT: local.botId };
});

afterAll(async () => {
  child.kill('SIGTERM');
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
});

/**
 * Fills in values with an ellipsis, and directs the operator's commands to the local platform instead of a deployed
 * stack.
 */
function edited(text: string): string {
  return text
    .replaceAll(
      /^(\w+)=\S*…\S*/gm,
      (_, name) => `${name}=${filledIn[name] ?? expect.unreachable(`no value of ${name}`)}`,
    )
    .replaceAll(/^(npm run [\w:-]+)(?: --)?(?=\s|$)(?!.*--(?:local|help))/gm, '$1 -- --local');
}

describe('a block of the documents', () => {
  it.each(runnable.map(block => [`${block.page}:${block.line}`, block] as const))(
    'runs without an error: %s',
    async (_, block) => {
      const file = join(folder, `block.${block.language === 'sh' ? 'sh' : 'mjs'}`);
      const isShell = block.language === 'sh';
      writeFileSync(file, isShell ? edited(block.text) : block.text);

      // curl exits with 0 for a rejected request, whose response has a code of 4xx or 5xx.
      const options = { cwd: folder, env: { PATH: process.env.PATH, HOME: folder, NO_COLOR: '1' } };
      const { stdout } = await run(
        isShell ? 'bash' : process.execPath,
        isShell ? ['-euo', 'pipefail', file] : [file],
        options,
      );

      expect(stdout).not.toMatch(/"code": ?[45]\d\d/);
    },
  );

  it.each(Object.keys(NOT_RUN))('is skipped because: %s', reason => {
    expect(blocks.some(NOT_RUN[reason]!)).toBe(true);
  });
});

describe('.parley/env', () => {
  it("is readable by its owner only and lists the demo's URLs", async () => {
    const text = await readFile(join(folder, '.parley/env'), 'utf8');

    expect(text).toMatch(/^API_URL=http:\/\/127\.0\.0\.1:\d+$/m);
    expect((await stat(join(folder, '.parley/env'))).mode & 0o777).toBe(0o600);
  });
});

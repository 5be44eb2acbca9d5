/**
 * `npm run test:first-hour`: runs README.md and docs/start.md as pasted, each in an empty folder with an empty home and
 * packages from the npm registry. Fails at the first block that exits with an error or whose output differs from the
 * page. Opens `page.html` in Chromium. Prints the time from `git clone` to the bot's first replies, in the terminal and
 * on the page.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePort } from '#infra/local/services/ports.ts';
import { type Block, blocksOf, fileOf, missingLine, ROOT } from '#test/support/documents.ts';
import { launch } from './browser.ts';
import { Terminal } from './firstHour/terminal.ts';

/** The repository's placeholder URL in the documentation. Git clones the last commit of this repository instead. */
const PUBLISHED = 'https://git.example.com/parley.git';

const PAGES = [
  { page: 'README.md', section: 'Your first bot in five minutes' },
  { page: 'docs/start.md', section: undefined },
];
const FIRST_REPLY = 'node talk.mjs';
const RUNS_ON = 'npm start';
const PAGE = 'page.html';
/** The section that needs an AWS account. `npm run test:deploy -- cli` runs it against an emulator. */
const AWS = 'On AWS';

const secondsSince = (startedAt: number) => (performance.now() - startedAt) / 1000;

const say = (text: string) => process.stdout.write(`${text}\n`);
const npm = (...args: string[]) => execFileSync('npm', args, { encoding: 'utf8' }).trim();

/** Returns a clean environment: no variables of this project or of npm scripts, and an empty home folder. */
async function readersEnvironment(home: string): Promise<NodeJS.ProcessEnv> {
  const { PATH = '', ...rest } = process.env;
  const kept = Object.entries(rest).filter(([name]) =>
    /^(LANG|TMPDIR|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|.*_proxy)$/i.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    // `npm run` puts the commands of this project first.
    PATH: PATH.split(delimiter)
      .filter(folder => !folder.includes('node_modules'))
      .join(delimiter),
    HOME: home,
    NO_COLOR: '1',
    // An empty home folder has no npm configuration.
    npm_config_registry: npm('config', 'get', 'registry'),
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `url.${ROOT}.insteadOf`,
    GIT_CONFIG_VALUE_0: PUBLISHED,
    // Another platform may run on this machine.
    PORT: String(await freePort()),
  };
}

/** Pastes the blocks of a page. @returns the seconds from the first block to the first reply of the bot */
async function runPage(page: string, blocks: readonly Block[], folder: string): Promise<number> {
  const home = join(folder, 'home');
  const work = join(folder, 'work');
  const scripts = join(folder, 'scripts');
  for (const each of [home, work, scripts]) mkdirSync(each);
  const environment = await readersEnvironment(home);
  const terminals = [new Terminal(work, environment, scripts)];
  const startedAt = performance.now();
  let seconds: number | undefined;
  let output = '';
  try {
    for (const block of blocks) {
      const where = `${page}:${block.line}`;
      const file = fileOf(block);
      const terminal = terminals.at(-1)!;
      if (block.language === '') {
        const missing = missingLine(block.text, output);
        assert.equal(missing, undefined, `${where} expects "${missing}". The output is:\n${output}`);
      } else if (file) {
        const directory = (await terminal.paste('pwd\n')).trim();
        writeFileSync(join(directory, file), block.text);
      } else if (block.language === 'sh' && block.text.trimEnd().endsWith(RUNS_ON)) {
        output = await terminal.pasteUntil(block.text, 'Press Ctrl-C to stop.');
        terminals.push(new Terminal(work, environment, scripts));
      } else {
        assert.equal(block.language, 'sh', `${where} is neither a command nor a file. Name the file in a comment.`);
        output = await terminal.paste(block.text);
        if (block.text.includes(FIRST_REPLY)) seconds ??= secondsSince(startedAt);
        if (block.text.includes(PAGE)) {
          await chatOn(join((await terminal.paste('pwd\n')).trim(), PAGE));
          say(`ok   ${where}: the bot replies on your page after ${Math.round(secondsSince(startedAt))} s`);
        }
      }
      say(`ok   ${where}`);
    }
  } finally {
    for (const terminal of terminals.reverse()) await terminal.close();
  }
  assert.ok(seconds !== undefined, `${page} has no reply of the bot.`);
  return seconds;
}

/** Opens a page, and waits for the bot's reply in the widget. */
async function chatOn(file: string): Promise<void> {
  const browser = await launch();
  try {
    const page = await browser.newPage();
    await page.goto(pathToFileURL(file).href);
    await page.locator('parley-chat .launcher').click();
    await page.locator('parley-chat textarea').fill('Hello from my page');
    await page.keyboard.press('Enter');
    await page.locator('parley-chat .message.other .bubble', { hasText: 'Hello from my page' }).waitFor();
  } finally {
    await browser.close();
  }
}

const changed = execFileSync('git', ['status', '--porcelain'], { cwd: ROOT, encoding: 'utf8' });
if (changed) say('The clone excludes uncommitted changes.');
for (const { page, section } of PAGES) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-first-hour-'));
  try {
    const blocks = blocksOf(page).filter(
      block => block.section !== AWS && (section === undefined || block.section === section),
    );
    const seconds = await runPage(page, blocks, folder);
    say(`${page}: ${Math.round(seconds)} s from git clone to the first reply of your own bot.`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

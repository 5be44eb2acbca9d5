/**
 * `npm run test:first-hour`: runs the README and the pages that follow it as pasted, each walk in an empty folder with
 * an empty home and packages from the npm registry. Fails at the first block that exits with an error or whose output
 * differs from the page. Opens `page.html` in Chromium. Prints the time from `git clone` to the bot's first replies, in
 * the terminal and on the page. `REPOSITORY=<a clone of botpress/botpress>` follows the pages with `bp` 7 instead,
 * which it builds from that source.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePort } from '#infra/local/services/ports.ts';
import { type Block, fileOf, missingLine, ROOT } from '#test/support/documents.ts';
import { launch } from './browser.ts';
import { buildNewestCli } from './firstHour/newestCli.ts';
import { Terminal } from './firstHour/terminal.ts';
import { walksOf } from './firstHour/walks.ts';

/** The repository's placeholder URL in the documentation. Git clones the last commit of this repository instead. */
const PUBLISHED = 'https://git.example.com/parley.git';

const FIRST_REPLY = 'node talk.mjs';
const RUNS_ON = 'npm start';
const PAGE = 'page.html';
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

/** A walk through pages, in one folder. Each page begins in a new terminal. */
class Walk {
  readonly #work: string;
  readonly #scripts: string;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #edit: (text: string) => string;
  #terminals: Terminal[] = [];
  #output = '';
  #startedAt = performance.now();
  /** From the first block to the first reply of the bot. */
  seconds: number | undefined;

  constructor(folder: string, environment: NodeJS.ProcessEnv, edit: (text: string) => string) {
    this.#work = join(folder, 'work');
    this.#scripts = join(folder, 'scripts');
    for (const each of [this.#work, this.#scripts]) mkdirSync(each);
    this.#environment = environment;
    this.#edit = edit;
  }

  async follow(page: string, blocks: readonly Block[]): Promise<void> {
    this.#open();
    for (const block of blocks) {
      const where = `${page}:${block.line}`;
      await this.#paste(block, where);
      say(`ok   ${where}`);
    }
  }

  async close(): Promise<void> {
    for (const terminal of this.#terminals.reverse()) await terminal.close();
    this.#terminals = [];
  }

  #open(): void {
    this.#terminals.push(new Terminal(this.#work, this.#environment, this.#scripts));
  }

  async #paste(block: Block, where: string): Promise<void> {
    const file = fileOf(block);
    const terminal = this.#terminals.at(-1)!;
    if (block.language === '') {
      const missing = missingLine(block.text, this.#output);
      assert.equal(missing, undefined, `${where} expects "${missing}". The output is:\n${this.#output}`);
      return;
    }
    if (file) {
      const directory = (await terminal.paste('pwd\n')).trim();
      writeFileSync(join(directory, file), block.text);
      return;
    }
    assert.equal(block.language, 'sh', `${where} is neither a command nor a file. Name the file in a comment.`);
    if (block.text.trimEnd().endsWith(RUNS_ON)) return this.#start(block.text);
    this.#output = await terminal.paste(this.#edit(block.text));
    if (block.text.includes(FIRST_REPLY)) this.seconds ??= secondsSince(this.#startedAt);
    if (block.text.includes(PAGE)) {
      await chatOn(join((await terminal.paste('pwd\n')).trim(), PAGE));
      say(`ok   ${where}: the bot replies on your page after ${Math.round(secondsSince(this.#startedAt))} s`);
    }
  }

  /** Starts the platform, again if it runs: a second start is that of the next day. */
  async #start(text: string): Promise<void> {
    if (this.#terminals.length > 1) {
      await this.close();
      this.#open();
    }
    this.#output = await this.#terminals.at(-1)!.pasteUntil(text, 'Press Ctrl-C to stop.');
    this.#open();
  }
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
const { REPOSITORY } = process.env;
const version = REPOSITORY ? 'bp 7' : 'bp 0.8';
for (const pages of walksOf(version)) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-first-hour-'));
  const [home, cli] = [join(folder, 'home'), join(folder, 'cli')];
  for (const each of [home, cli]) mkdirSync(each);
  const edit = REPOSITORY ? await buildNewestCli(REPOSITORY, cli) : (text: string) => text;
  const walk = new Walk(folder, await readersEnvironment(home), edit);
  try {
    for (const { page, blocks } of pages) await walk.follow(page, blocks);
    assert.ok(walk.seconds !== undefined, 'No block shows a reply of the bot.');
    say(
      `${pages[0]!.page}, ${version}: ${Math.round(walk.seconds)} s from git clone to the first reply of your own bot.`,
    );
  } finally {
    await walk.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * `REPOSITORY=<a clone of botpress/botpress> npm run test:chat-client`: builds the chat client of the public repository
 * and runs its own tests, over SSE and WebSocket, against a platform that `DEMO_BOT_PAUSE_MS=300 npm start` runs. One
 * test expects its second message before the bot's reply to the first, so the bot must not reply within milliseconds.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkOut, manifestOf } from '#infra/hub/buildSources.ts';
import type { LocalFile } from '#infra/local/demo.ts';
import { stateDirectory } from '#infra/settings/stateDirectory.ts';

const { REPOSITORY } = process.env;
if (!REPOSITORY) throw new Error('Set REPOSITORY to the folder of a clone of https://github.com/botpress/botpress.');

const local: LocalFile = JSON.parse(readFileSync(join(stateDirectory, 'local.json'), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'parley-chat-client-'));
const CLIENT = 'packages/chat-client';
const API = 'packages/chat-api';
const TOOLS = { tsx: '^4.20.0', vitest: '^3.2.0', dotenv: '^16.4.4', '@botpress/api': '^1.70.0' };

/** Installs what both packages declare. The workspace package is linked, so that imports resolve its source. */
function install(): void {
  const dependencies = [API, CLIENT].flatMap(path => {
    const { dependencies: own = {}, devDependencies = {} } = manifestOf(join(folder, path));
    return Object.entries({ ...devDependencies, ...own }).filter(([, version]) => !version.startsWith('workspace:'));
  });
  const manifest = { private: true, dependencies: { ...Object.fromEntries(dependencies), ...TOOLS } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const options = ['--no-audit', '--no-fund', '--legacy-peer-deps', '--loglevel', 'error'];
  execFileSync('npm', ['install', ...options], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  mkdirSync(join(folder, 'node_modules/@botpress'), { recursive: true });
  symlinkSync(join(folder, API), join(folder, 'node_modules/@botpress/chat-api'));
}

const run = (tool: string, args: string[], env: Record<string, string> = {}) =>
  execFileSync(join(folder, 'node_modules/.bin', tool), args, {
    cwd: join(folder, CLIENT),
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });

try {
  process.stdout.write('Building the chat client …\n');
  checkOut(REPOSITORY, folder, [API, CLIENT, 'tsconfig.json']);
  install();
  run('tsx', ['openapi.ts', './src/gen']);
  run('vitest', ['run', '--config', 'vitest.config.ts'], {
    API_URL: local.extendedChatUrl,
    ENCRYPTION_KEY: local.encryptionKey,
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

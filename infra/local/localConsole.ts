/** The local platform's console. A child process builds it while the platform starts. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { CONSOLE_DIRECTORY, isConsoleStale } from '#infra/console/buildConsole.ts';
import { CONSOLE_HEADERS, consolePolicy, WIDGET_HEADERS } from '#infra/console/policy.ts';
import { WIDGET_FILE } from '#infra/console/widget.ts';
import { bindToThisProcess } from '#infra/local/runtime/childProcess.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import { DEMO_PAGE, DEMO_SCRIPT, demoPage, demoScript } from './demoPage.ts';
import type { Pages } from './services/gateway/servePages.ts';

const BUILD = join(import.meta.dirname, '../console/buildConsole.ts');

export interface Console {
  pages: Pages;
  /** Serves the demo page, which needs the demo's bot. */
  showDemo(embed: string): void;
  stop(): Promise<void>;
}

export function startConsole(contentOrigin: string): Console {
  const building = isConsoleStale()
    ? bindToThisProcess(spawn(process.execPath, [BUILD], { stdio: ['ignore', 'ignore', 'pipe'] }))
    : undefined;
  const built = building ? untilBuilt(building) : Promise.resolve();
  // Requests for pages report a build error.
  built.catch(() => {});
  const made: Pages['made'] = {
    'config.json': () =>
      JSON.stringify({
        apiUrl: process.env[VARIABLES.apiBaseUrl],
        chatUrl: process.env[VARIABLES.chatBaseUrl],
        contentOrigins: [contentOrigin],
      }),
  };
  return {
    showDemo: embed => {
      made[DEMO_PAGE] = () => demoPage(embed);
      made[DEMO_SCRIPT] = demoScript;
    },
    pages: {
      basePath: '/console',
      directory: async () => {
        await built;
        return CONSOLE_DIRECTORY;
      },
      headers: name => ({
        ...CONSOLE_HEADERS,
        'content-security-policy': consolePolicy({ called: [contentOrigin], shown: [contentOrigin] }),
        ...(name === WIDGET_FILE ? WIDGET_HEADERS : {}),
      }),
      made,
    },
    stop: async () => {
      if (!building || building.exitCode !== null || building.signalCode !== null) return;
      const ended = once(building, 'exit');
      building.kill();
      await ended;
    },
  };
}

async function untilBuilt(child: ChildProcess): Promise<void> {
  let output = '';
  child.stderr!.on('data', data => {
    output += data;
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`The console could not be built. Try npm run console:build.\n${output}`);
}

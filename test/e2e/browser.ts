/** Launches the local browser: `chromium` or CHROMIUM. */
import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

function browserPath(): string {
  const name = process.env.CHROMIUM ?? 'chromium';
  const folders = isAbsolute(name) ? [''] : (process.env.PATH ?? '').split(delimiter);
  const path = folders.map(folder => join(folder, name)).find(existsSync);
  if (path !== undefined) return path;
  process.stdout.write(
    `The browser ${name} was not found. Install Chromium (apt-get install chromium), or set CHROMIUM.\n`,
  );
  return process.exit(1);
}

export const launch = (): Promise<Browser> =>
  chromium.launch({ executablePath: browserPath(), args: ['--no-sandbox'] });

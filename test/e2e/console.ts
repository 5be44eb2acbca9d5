/**
 * `npm run test:console`: tests the console in a browser against a platform that `npm start` runs. Arguments select
 * walks: `npm run test:console -- talking tables`. The browser is `chromium` or CHROMIUM. Exits with an error at the
 * first failure.
 */
import type { Browser } from 'playwright-core';
import { launch } from './browser.ts';
import { walkByKeyboard, walkThroughAccessibility } from './console/accessibility.ts';
import { walkThroughFiles } from './console/files.ts';
import { measureFrames } from './console/frames.ts';
import { walkThroughInbox } from './console/inbox.ts';
import { walkThroughMarkup } from './console/markup.ts';
import { walkThroughMembers } from './console/members.ts';
import { walkByPalette } from './console/palette.ts';
import { walkThroughReference } from './console/reference.ts';
import { walkThroughTheRest } from './console/remaining.ts';
import { takeScreenshots } from './console/screenshots.ts';
import { walkThroughSigningIn } from './console/signingIn.ts';
import { adminClient, say } from './console/stage.ts';
import { walkThroughTables } from './console/tables.ts';
import { walkThroughTalking } from './console/talking.ts';
import { walkThroughWidget } from './console/widget.ts';

/** After the first two, in a bot that has been talked to. */
const WALKS: Record<string, (browser: Browser, botId: string) => Promise<void>> = {
  files: walkThroughFiles,
  tables: walkThroughTables,
  inbox: walkThroughInbox,
  members: walkThroughMembers,
  remaining: walkThroughTheRest,
  accessibility: walkThroughAccessibility,
  keyboard: walkByKeyboard,
  palette: walkByPalette,
  markup: walkThroughMarkup,
  widget: walkThroughWidget,
};

/** The bot of an earlier run. */
async function walkedBot(): Promise<string | undefined> {
  const { bots } = await adminClient().listBots({ sortField: 'createdAt', sortDirection: 'desc' });
  return bots.find(({ name }) => name === 'Walked bot')?.id;
}

const names = process.argv.slice(2);
const isWanted = (name: string) => names.length === 0 || names.includes(name);
const browser = await launch();
try {
  if (isWanted('signingIn')) await walkThroughSigningIn(browser);
  if (isWanted('reference')) await walkThroughReference(browser);
  const wanted = Object.entries(WALKS).filter(([name]) => isWanted(name));
  if (wanted.length > 0 || isWanted('talking')) {
    const known = isWanted('talking') ? undefined : await walkedBot();
    const botId = known ?? (await walkThroughTalking(browser));
    for (const [, walk] of wanted) await walk(browser, botId);
  }
  if (names.includes('screenshots')) await takeScreenshots(browser);
  if (names.includes('frames')) await measureFrames(browser);
  say('All walks were gone to their ends.');
} finally {
  await browser.close();
}

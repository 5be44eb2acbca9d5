/**
 * `npm run test:console` tests the console in a browser against a platform that `npm start` runs. Arguments select
 * scenarios: `npm run test:console -- talking tables`. The browser is `chromium` or CHROMIUM. Exits with an error at
 * the first failure.
 */
import type { Browser } from 'playwright-core';
import { launch } from './browser.ts';
import { testAccessibility, testKeyboard } from './console/accessibility.ts';
import { testAddress } from './console/address.ts';
import { testAlerts } from './console/alerts.ts';
import { testAvailability } from './console/availability.ts';
import { testCustomer } from './console/customer.ts';
import { testDeletedMessages } from './console/deletedMessages.ts';
import { testDemo } from './console/demo.ts';
import { testDialogs } from './console/dialogs.ts';
import { testFailures } from './console/failures.ts';
import { testFiles } from './console/files.ts';
import { measureFrames } from './console/frames.ts';
import { captureGallery } from './console/gallery.ts';
import { testHandling } from './console/handling.ts';
import { testInbox } from './console/inbox.ts';
import { testInboxComposer } from './console/inboxComposer.ts';
import { testInboxFiles } from './console/inboxFiles.ts';
import { testInputMethods } from './console/inputMethods.ts';
import { testIntegrationLogs } from './console/integrationLogs.ts';
import { testIntegrations } from './console/integrations.ts';
import { testJobs } from './console/jobs.ts';
import { testLanguages } from './console/languages.ts';
import { testMarkup } from './console/markup.ts';
import { testMembers } from './console/members.ts';
import { testPalette } from './console/palette.ts';
import { testPresence } from './console/presence.ts';
import { measureQueue } from './console/queue.ts';
import { testReachability } from './console/reachability.ts';
import { testReference } from './console/reference.ts';
import { testOtherPages } from './console/remaining.ts';
import { testReports } from './console/reports.ts';
import { takeScreenshots } from './console/screenshots.ts';
import { testSearching } from './console/searching.ts';
import { testSessions } from './console/sessions.ts';
import { testSettings } from './console/settings.ts';
import { testSigningIn } from './console/signingIn.ts';
import { testSingleSignOn } from './console/singleSignOn.ts';
import { adminClient, say } from './console/stage.ts';
import { testTables } from './console/tables.ts';
import { testTalking } from './console/talking.ts';
import { testTextDirection } from './console/textDirection.ts';
import { testWidget } from './console/widget.ts';
import { testWidgetContent } from './console/widgetContent.ts';

/** Scenarios that need a bot with conversations. */
const SCENARIOS: Record<string, (browser: Browser, botId: string) => Promise<void>> = {
  integrations: testIntegrations,
  integrationLogs: testIntegrationLogs,
  settings: testSettings,
  failures: testFailures,
  files: testFiles,
  tables: testTables,
  inbox: testInbox,
  inboxComposer: testInboxComposer,
  handling: testHandling,
  inboxFiles: testInboxFiles,
  customer: testCustomer,
  alerts: testAlerts,
  availability: testAvailability,
  deletedMessages: testDeletedMessages,
  inputMethods: testInputMethods,
  members: testMembers,
  presence: testPresence,
  reachability: testReachability,
  remaining: testOtherPages,
  reports: testReports,
  jobs: testJobs,
  address: testAddress,
  dialogs: testDialogs,
  accessibility: testAccessibility,
  keyboard: testKeyboard,
  languages: testLanguages,
  palette: testPalette,
  searching: testSearching,
  markup: testMarkup,
  textDirection: testTextDirection,
  widget: testWidget,
  widgetContent: testWidgetContent,
};

/** The bot of a previous run. */
async function findTestBot(): Promise<string | undefined> {
  const { bots } = await adminClient().listBots({ sortField: 'createdAt', sortDirection: 'desc' });
  return bots.find(({ name }) => name === 'Test bot')?.id;
}

const names = process.argv.slice(2);
const isWanted = (name: string) => names.length === 0 || names.includes(name);
const browser = await launch();
try {
  if (isWanted('signingIn')) await testSigningIn(browser);
  if (isWanted('singleSignOn')) await testSingleSignOn(browser);
  if (isWanted('demo')) await testDemo(browser);
  if (isWanted('sessions')) await testSessions(browser);
  if (isWanted('reference')) await testReference(browser);
  const wanted = Object.entries(SCENARIOS).filter(([name]) => isWanted(name));
  if (wanted.length > 0 || isWanted('talking')) {
    const known = isWanted('talking') ? undefined : await findTestBot();
    const botId = known ?? (await testTalking(browser));
    for (const [, run] of wanted) await run(browser, botId);
  }
  if (names.includes('screenshots')) await takeScreenshots(browser);
  if (names.includes('gallery')) await captureGallery(browser);
  if (names.includes('frames')) await measureFrames(browser);
  if (names.includes('queue')) await measureQueue(browser);
  say('All scenarios passed.');
} finally {
  await browser.close();
}

/** Tests the npm package of the widget in a page, with a policy and trusted types. */
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { installPackedWidget } from '#test/support/packedWidget.ts';
import { done, local, newContext } from './stage.ts';
import { bubbles, launcher, panel, type Site, say, WIDGET_URL } from './widgetSite.ts';

const APP = '/app.js';

export async function testPackage(browser: Browser, site: Site): Promise<void> {
  const { project } = await installPackedWidget();
  const { outputFiles } = await build({
    stdin: {
      contents: `import { loadChat } from 'parley-widget';
        import { start } from './sample.ts';
        window.app = { start, loadChat };`,
      resolveDir: project,
    },
    bundle: true,
    write: false,
    format: 'iife',
  });
  await rm(dirname(project), { recursive: true });
  site.files.set(APP, outputFiles[0]!.text);
  const context = await newContext(browser);
  const page = await site.visit(context, { chatUrl: local.webchatUrl, app: APP });
  await page.waitForFunction('window.app');
  const load = (options: object) =>
    page.evaluate<string>(`app.loadChat(${JSON.stringify(options)}).then(() => 'loaded', error => error.message)`);

  await page.route(WIDGET_URL, route => route.abort());
  assert.match(await load({ scriptUrl: WIDGET_URL }), /The chat could not be loaded from .*widget\.js/);
  await page.unroute(WIDGET_URL);
  assert.match(await load({ scriptUrl: WIDGET_URL, chatUrl: 'nowhere' }), /data-chat-url must be the address/);
  assert.equal(await launcher(page).count(), 0);
  await page.evaluate(`Promise.all([1, 2].map(() => app.start('${WIDGET_URL}', '${local.webchatUrl}')))`);
  // Until the settings have arrived, nothing is shown.
  await launcher(page).first().waitFor();
  assert.equal(await launcher(page).count(), 1);
  assert.equal(await page.evaluate('document.querySelectorAll(\'script[src$="widget.js"]\').length'), 1);
  await page.getByRole('button', { name: 'Ask us, Open the chat' }).click();
  await panel(page).getByText('Help').waitFor();
  await say(page, 'Hello from the package');
  await bubbles(page, 'other', 'Hello from the package').waitFor();
  await context.close();
  done('is loaded by the npm package in a page that requires trusted types: once, and again after a failure');
}

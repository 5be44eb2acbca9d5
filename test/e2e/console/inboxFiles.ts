/** Attachments of replies, from the agent's file picker to the visitor's page, and the emoji picker. */
import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { adminClient, botClient, CONSOLE, call, done, local, newContext, signedIn, until } from './stage.ts';
import { bubbles, MEDIA, panel, say, startSite, storedSession } from './widgetSite.ts';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);
const PICTURE = { name: 'parcel.png', mimeType: 'image/png', buffer: PIXEL };
const INVOICE = { name: 'invoice.txt', mimeType: 'text/plain', buffer: Buffer.from('Invoice 17') };

const field = (page: Page) => page.getByLabel('Reply text');
const picker = (page: Page) => page.locator('form input[type=file]');
const files = (page: Page) => page.getByRole('list', { name: 'Attachments' }).getByRole('listitem');
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

export async function testInboxFiles(browser: Browser): Promise<void> {
  const { bot } = await adminClient().createBot({ name: `Bot of attachments ${Date.now().toString(36)}` });
  await adminClient().updateBot({
    id: bot.id,
    integrations: { chat: { integrationId: local.integrationId, enabled: true } },
  });
  const { bot: installed } = await adminClient().getBot({ id: bot.id });
  const chatUrl = `${local.apiUrl}/chat/${installed.integrations.chat!.webhookId}`;
  const site = await startSite();
  const [visit, desk] = [await newContext(browser), await newContext(browser)];
  const visitor = await site.visit(visit, { chatUrl, attributes: MEDIA });
  await visitor.getByRole('button', { name: 'Open the chat' }).click();
  await say(visitor, 'Can I see my parcel?');
  const conversationId = await until(async () => (await storedSession(visitor, chatUrl)).conversationId);
  await call('POST', '/chat/handoffs', { conversationId }, { botId: bot.id });
  const page = await signedIn(desk);
  await page.goto(`${CONSOLE}#/inbox/${bot.id}/${conversationId}?bot=${bot.id}&view=waiting`);
  await page.locator('[data-message]').first().waitFor();

  await sendFiles(page, visitor, bot.id, conversationId);
  await changeFiles(page);
  await sayWhatIsNotAccepted(page);
  await insertEmoji(page);
  site.stop();
  await Promise.all([visit.close(), desk.close()]);
}

/** The conversation is queued, so the files are uploaded after the takeover. */
async function sendFiles(page: Page, visitor: Page, botId: string, conversationId: string): Promise<void> {
  await picker(page).setInputFiles([PICTURE, INVOICE]);
  assert.equal(await files(page).count(), 2);
  await files(page).filter({ hasText: 'parcel.png' }).locator('img').waitFor();
  await field(page).fill('Here it is.');
  await button(page, 'Take over and send reply').click();
  const picture = panel(visitor).locator('img[src*="/v1/content/"]');
  await picture.waitFor();
  await visitor.waitForFunction(
    image => (image as unknown as { naturalWidth: number }).naturalWidth === 1,
    await picture.elementHandle(),
  );
  await panel(visitor)
    .getByRole('link', { name: /invoice\.txt/ })
    .waitFor();
  await bubbles(visitor, 'other', 'Here it is.').waitFor();
  const { messages } = await botClient(botId).listMessages({ conversationId });
  assert.deepEqual(
    messages
      .filter(({ direction }) => direction === 'outgoing')
      .map(({ type }) => type)
      .reverse(),
    ['text', 'image', 'file'],
  );
  await files(page).first().waitFor({ state: 'detached' });
  await page.locator('[data-message] img[src*="/v1/content/"]').waitFor();
  await page.locator('[data-message] a', { hasText: 'invoice.txt' }).waitFor();
  done('sends a text and two files in order, which the visitor sees in their page');
}

async function changeFiles(page: Page): Promise<void> {
  let isBroken = true;
  await page.route(
    url => url.search.includes('X-Amz-Signature') && !url.pathname.startsWith('/v1/'),
    route => (isBroken && route.request().method() === 'PUT' ? route.abort() : route.continue()),
  );
  await picker(page).setInputFiles([PICTURE, INVOICE]);
  await button(page, 'Try again: parcel.png').waitFor();
  await button(page, 'Try again: invoice.txt').waitFor();
  assert.equal(await button(page, 'Send reply').isDisabled(), true);
  isBroken = false;
  await button(page, 'Try again: parcel.png').click();
  await button(page, 'Remove invoice.txt').click();
  await files(page).filter({ hasText: 'invoice.txt' }).waitFor({ state: 'detached' });
  await page.unroute(() => true).catch(() => undefined);
  await until(() => button(page, 'Send reply').isEnabled());
  await button(page, 'Remove parcel.png').click();
  await files(page).first().waitFor({ state: 'detached' });
  assert.equal(await button(page, 'Send reply').isDisabled(), true);
  done('retries and removes a file before it is sent');

  await field(page).focus();
  await page.evaluate(`{
    const data = new DataTransfer();
    data.items.add(new File(['pasted'], 'pasted.txt', { type: 'text/plain' }));
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  }`);
  await files(page).filter({ hasText: 'pasted.txt' }).waitFor();
  await drop(page, 'dropped.txt');
  await files(page).filter({ hasText: 'dropped.txt' }).waitFor();
  await until(() => button(page, 'Send reply').isEnabled());
  await button(page, 'Send reply').click();
  await page.locator('[data-message] a', { hasText: 'pasted.txt' }).waitFor();
  await page.locator('[data-message] a', { hasText: 'dropped.txt' }).waitFor();
  done('attaches files that are pasted or dropped on the conversation');
}

const drop = (page: Page, name: string) =>
  page.evaluate(`{
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['dropped'], ${JSON.stringify(name)}, { type: 'text/plain' }));
    const thread = document.querySelector('[role=log]');
    for (const type of ['dragenter', 'dragover', 'drop'])
      thread.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
  }`);

async function sayWhatIsNotAccepted(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Attach files, up to 25 MB each' }).waitFor();
  const buffer = Buffer.alloc(25 * 1024 * 1024 + 1);
  await picker(page).setInputFiles({ name: 'film.bin', mimeType: 'application/octet-stream', buffer });
  await page.getByText(/film\.bin.* is larger than 25 MB/).waitFor();
  assert.equal(await files(page).count(), 0);
  await button(page, 'Note').click();
  await drop(page, 'secret.txt');
  await page.getByRole('status').getByText('Private notes take no attachments').waitFor();
  assert.equal(await files(page).count(), 0);
  await button(page, 'Reply').click();
  done('names the size limit, and says that notes take no attachments');
}

async function insertEmoji(page: Page): Promise<void> {
  await field(page).fill('On its way ');
  await button(page, 'Insert an emoji').click();
  const search = page.locator('emoji-picker input[type=search]');
  await search.waitFor();
  await page.keyboard.type('pizza');
  await page.locator('emoji-picker [role=option]', { hasText: '🍕' }).first().waitFor();
  const active = page.locator('emoji-picker [role=option].active', { hasText: '🍕' });
  await until(async () => {
    await page.keyboard.press('ArrowDown');
    return (await active.count()) === 1;
  });
  await page.keyboard.press('Enter');
  await page.locator('emoji-picker').waitFor({ state: 'detached' });
  assert.equal(await field(page).inputValue(), 'On its way 🍕');
  await page.keyboard.type('!');
  assert.equal(await field(page).inputValue(), 'On its way 🍕!');
  await field(page).fill('');
  done('inserts an emoji that was found by keyboard, without a third party');
}

/**
 * `npm run test:webchat`: tests the published webchat client, embedded by the code of `getBotWebchat`, against a
 * platform that `npm start` runs. The browser is `chromium` or CHROMIUM. Exits with an error at the first failure.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { LocalFile } from '#infra/local/demo.ts';
import { stateDirectory } from '#infra/settings/stateDirectory.ts';
import { launch } from './browser.ts';

const local: LocalFile = JSON.parse(readFileSync(join(stateDirectory, 'local.json'), 'utf8'));
const say = (text: string) => process.stdout.write(`${text}\n`);

async function embedCode(type: string): Promise<string> {
  const response = await fetch(`${local.apiUrl}/v1/admin/bots/${local.deployedBotId}/webchat?type=${type}`, {
    headers: { authorization: `Bearer ${local.tokens.owner}`, 'x-workspace-id': local.workspaceId },
  });
  const { code } = (await response.json()) as { code: string };
  assert.equal(response.status, 200, code);
  return code;
}

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A separate site, so that every call of the client is cross-origin. */
const site = createServer(async (request, response) => {
  const type = request.url?.slice(1) || 'preconfigured';
  if (type === 'favicon.ico') return response.writeHead(404).end();
  if (type === 'ada.png') return response.writeHead(200, { 'content-type': 'image/png' }).end(PICTURE);
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  return response.end(`<!doctype html><title>Shop</title><body><h1>Shop</h1>${await embedCode(type)}</body>`);
}).listen(0, '127.0.0.1');
await once(site, 'listening');
const siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;

const browser = await launch();

async function newPage(): Promise<{ page: Page; faults: string[] }> {
  const page = await (await browser.newContext()).newPage();
  page.setDefaultTimeout(30_000);
  const faults: string[] = [];
  page.on('pageerror', error => faults.push(`${error.stack}`));
  page.on('response', answer => {
    if (answer.status() >= 400) faults.push(`${answer.status()} ${answer.request().method()} ${answer.url()}`);
  });

  // The embedded page must not request other sites.
  await page.route(
    url => url.hostname !== '127.0.0.1',
    route => {
      faults.push(`${route.request().url()} is not of this machine`);
      return route.abort();
    },
  );
  return { page, faults };
}

/** Returns the widget's button. */
const open = (page: Page) => page.locator('.bpFabContainer, .bpFabWrapper').first().click();
const composer = (page: Page) => page.locator('textarea:not([aria-hidden])');
/** Returns a message in the list, by the user (`outgoing`) or the bot. */
const message = (page: Page, direction: 'incoming' | 'outgoing', text: string) =>
  page.locator(`[data-direction=${direction}]`, { hasText: text }).first();
const shown = (page: Page, text: string) =>
  Promise.all([message(page, 'outgoing', text).waitFor(), message(page, 'incoming', text).waitFor()]);

/** Waits for the upload, because an earlier message has no picture. */
async function attachPicture(page: Page): Promise<void> {
  const uploaded = page.waitForResponse(answer => answer.request().method() === 'PUT' && answer.ok());
  const file = { name: 'dot.png', mimeType: 'image/png', buffer: PICTURE };
  await page.locator('input[type=file]').setInputFiles(file);
  await uploaded;
  await page.locator('.bpComposerFileLoader').waitFor({ state: 'detached' });
}

/** Returns the session that the client stores between visits. */
const storedSession = (page: Page): Promise<{ conversationId: string; user: { userToken: string } }> =>
  page.evaluate(name => JSON.parse(localStorage.getItem(name)!).state, `bp-webchat-${local.webchatWebhookId}-client`);

/** Returns the messages from the chat API, newest first. */
async function messagesOf(page: Page): Promise<{ payload: { type: string } }[]> {
  const { conversationId, user } = await storedSession(page);
  const response = await fetch(`${local.webchatUrl}/conversations/${conversationId}/messages`, {
    headers: { 'x-user-key': user.userToken },
  });
  return ((await response.json()) as { messages: [] }).messages;
}

const MEMBER = 'Ada of the shop';

/** Answers the conversation as a workspace member: types, replies and leaves. */
async function takeOver(page: Page): Promise<void> {
  // biome-ignore lint/suspicious/noExplicitAny: fields of several responses
  const request = async (method: string, path: string, body?: object): Promise<any> => {
    const response = await fetch(`${local.apiUrl}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${local.tokens.owner}`,
        'x-workspace-id': local.workspaceId,
        'x-bot-id': local.deployedBotId,
        'content-type': 'application/json',
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    assert.ok(response.ok, await response.clone().text());
    return response.json();
  };
  // The page may load local pictures only.
  const profilePicture = `${siteUrl}/ada.png`;
  await request('PUT', '/admin/account/me', { displayName: MEMBER, profilePicture });
  const { account } = await request('GET', '/admin/account/me');
  const { conversationId } = await storedSession(page);
  const { handoff } = await request('POST', '/chat/handoffs', { conversationId, accountId: account.id });
  await request('POST', `/chat/handoffs/${handoff.id}/typing`, {});
  await page.locator('.bpTypingIndicator, [class*=TypingIndicator]').first().waitFor();
  await request('POST', `/chat/handoffs/${handoff.id}/messages`, {
    type: 'text',
    payload: { text: 'Hello, I am Ada.' },
  });
  await message(page, 'incoming', 'Hello, I am Ada.').waitFor();
  await page.locator(`.bpMessageAvatarContainer img[src="${profilePicture}"]`).waitFor();
  await request('POST', `/chat/handoffs/${handoff.id}/end`, {});
}

try {
  const { page, faults } = await newPage();
  await page.goto(siteUrl);
  await open(page);
  await composer(page).fill('hello');
  await page.keyboard.press('Enter');
  await shown(page, 'hello');
  say('ok   chats with a bot that the platform runs');

  await page.getByText('Delivered').first().waitFor({ state: 'attached' });
  say('ok   shows the message as delivered');

  const before = await storedSession(page);
  await page.reload();
  await open(page);
  await shown(page, 'hello');
  assert.deepEqual(await storedSession(page), before);
  await composer(page).fill('again');
  await page.keyboard.press('Enter');
  await shown(page, 'again');
  say('ok   keeps the user, the conversation and its messages when reloaded');

  await attachPicture(page);
  await page.getByLabel('Send Message Button').click();
  for (const direction of ['outgoing', 'incoming']) {
    const picture = page.locator(`[data-direction=${direction}] img[src*="/v1/content/"]`).first();
    await picture.waitFor();
    // Reads the uploaded bytes through the permanent URL.
    await page.waitForFunction(
      image => (image as unknown as { naturalWidth: number }).naturalWidth === 1,
      await picture.elementHandle(),
    );
  }
  say('ok   shows an uploaded image in the message and in the reply');

  await attachPicture(page);
  await composer(page).fill('with a caption');
  await page.getByLabel('Send Message Button').click();
  await shown(page, 'with a caption');
  const [answer] = await messagesOf(page);
  assert.equal(answer!.payload.type, 'bloc');
  say('ok   shows an image with a caption, which is a bloc');

  await takeOver(page);
  say('ok   shows the picture of a member who takes over, and that they are typing');

  assert.deepEqual(faults, []);
  say('ok   has no failed request and no thrown error');

  const whole = await newPage();
  await whole.page.goto(`${siteUrl}/fullscreen`);
  await composer(whole.page).fill('from a page of its own');
  await whole.page.keyboard.press('Enter');
  await shown(whole.page, 'from a page of its own');
  assert.deepEqual(whole.faults, []);
  say('ok   embeds as a whole page');
} finally {
  await browser.close();
  site.close();
}

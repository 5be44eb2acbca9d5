/** Tests the content of the widget: configured in the console with a preview, and applied to pages. */
import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { violationsIn } from './accessibility.ts';
import { adminClient, botClient, call, done, local, newContext, open, PHONE, signedIn, until } from './stage.ts';
import { bubbles, launcher, openChat, panel, type Site, say, startSite, storedSession } from './widgetSite.ts';

interface Chat {
  botId: string;
  webhookId: string;
  chatUrl: string;
}

/** A bot of its own, so that other scenarios see the default content. */
async function newChat(): Promise<Chat> {
  const client = adminClient();
  const { integrations } = await client.listIntegrations({ name: 'chat' });
  const { bot } = await client.createBot({ name: 'Widget content' });
  const changed = await client.updateBot({
    id: bot.id,
    integrations: { chat: { integrationId: integrations[0]!.id, enabled: true, configuration: {} } },
  });
  const { webhookId } = changed.bot.integrations.chat!;
  return { botId: bot.id, webhookId, chatUrl: local.chatUrl.replace(/[^/]+$/, webhookId) };
}

const path = ({ botId, webhookId }: Chat) => `/admin/bots/${botId}/widgets/${webhookId}`;

async function store(chat: Chat, settings: object): Promise<void> {
  const { widget } = await call('GET', path(chat));
  await call('PUT', path(chat), { settings, version: widget.version });
}

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });
const preview = (page: Page) => page.frameLocator('iframe[title=Preview]');

async function testConsole(browser: Browser, chat: Chat): Promise<void> {
  const context = await newContext(browser);
  const page = await signedIn(context);
  const calls: string[] = [];
  page.on('request', request => calls.push(request.url()));
  await open(page, `/bots/${chat.botId}/widget`, 'Chat widget');
  const widget = preview(page).locator('parley-chat');
  await widget.locator('textarea').waitFor();
  await page.getByLabel('Title').fill('Help desk');
  await page.getByRole('textbox', { name: 'Greeting' }).fill('Hello! How can we help?');
  await page.getByLabel('Suggested questions').fill('Where is my order?\nDo you ship to Norway?');
  await widget.getByText('Help desk').waitFor();
  await widget.getByRole('button', { name: 'Do you ship to Norway?' }).waitFor();
  assert.equal(await page.evaluate('document.activeElement.tagName'), 'TEXTAREA');
  await widget.getByRole('button', { name: 'Where is my order?' }).click();
  assert.equal(await widget.locator('.message.own').count(), 0);
  assert.deepEqual(
    calls.filter(url => url.startsWith(chat.chatUrl)),
    [],
  );
  done('previews unsaved settings with the real widget, which makes no call and leaves the focus');

  const light = page.getByLabel('Color, light theme');
  await light.fill('#74c0fc');
  await page.getByText('The contrast to the background is 1.9:1.').waitFor();
  await save(page).click();
  await page.getByText('Choose colors with enough contrast first.').waitFor();
  await light.fill('#0b6b3a');
  await page.getByLabel('Color, dark theme').fill('#6fd9a2');
  await page.getByRole('button', { name: 'Add field' }).click();
  await page.getByRole('switch', { name: 'Show opening hours' }).check();
  await page.getByRole('button', { name: 'Remove hours on Friday' }).click();
  await page.getByRole('switch', { name: 'Ask for a rating' }).check();
  await widget.getByRole('button', { name: 'Start the chat' }).waitFor();
  await page.getByRole('link', { name: 'Integrations' }).click();
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await page.getByRole('dialog', { name: 'Discard the changes?' }).waitFor({ state: 'detached' });
  assert.deepEqual(await violationsIn(page), []);
  await save(page).click();
  await page.getByText('The widget was changed.').waitFor();
  const stored = (await call('GET', path(chat))).widget;
  assert.equal(stored.version, 1);
  assert.deepEqual(stored.settings.questions, ['Where is my order?', 'Do you ship to Norway?']);
  assert.deepEqual(stored.settings.accent, { light: '#0b6b3a', dark: '#6fd9a2' });
  assert.deepEqual(stored.settings.fields, [{ kind: 'name' }]);
  assert.deepEqual(
    stored.settings.hours.periods.map(({ day }: { day: number }) => day),
    [1, 2, 3, 4],
  );
  done('rejects a color without contrast, asks before changes are lost, and stores the rest');

  await page.getByLabel('Title').fill('Mine');
  await store(chat, { title: 'Theirs' });
  await save(page).click();
  const conflict = page.getByText('Someone else changed the widget');
  await conflict.waitFor();
  const { y, height } = (await conflict.boundingBox())!;
  assert.ok(y >= 0 && y + height <= page.viewportSize()!.height, `The conflict is shown at ${y}.`);
  await page.getByRole('button', { name: 'Load saved settings' }).click();
  await until(async () => (await page.getByLabel('Title').inputValue()) === 'Theirs');
  assert.equal((await call('GET', path(chat))).widget.settings.title, 'Theirs');
  await context.close();
  done('shows the conflict with a change of another editor, and loads it');
}

async function testSettings(browser: Browser, site: Site, chat: Chat): Promise<void> {
  const { chatUrl } = chat;
  await store(chat, {
    title: 'Help desk',
    greeting: 'Hello!',
    questions: ['Where is <b>my</b> order?', 'Do you ship?'],
    accent: { light: '#0b6b3a' },
    launcher: { text: 'Ask us', position: 'start' },
    replyTime: 'minutes',
  });
  const context = await newContext(browser);
  const page = await site.visit(context, { chatUrl });
  await page.getByRole('button', { name: 'Ask us, Open the chat' }).waitFor();
  const color = await launcher(page).evaluate(
    element =>
      (globalThis as never as { getComputedStyle(e: unknown): { backgroundColor: string } }).getComputedStyle(element)
        .backgroundColor,
  );
  assert.equal(color, 'rgb(11, 107, 58)');
  const calls: string[] = [];
  page.on('request', request => calls.push(new URL(request.url()).pathname));
  await page.reload();
  await launcher(page).waitFor();
  assert.deepEqual(
    calls.filter(each => each.endsWith('/widget')),
    [],
  );
  await openChat(page);
  await panel(page).getByText('Usually replies in a few minutes').waitFor();
  await panel(page).getByRole('button', { name: 'Where is <b>my</b> order?' }).dblclick();
  await bubbles(page, 'own', 'Where is <b>my</b> order?').waitFor();
  await until(async () => (await panel(page).locator('.questions').count()) === 0);
  const { conversationId } = await storedSession(page, chatUrl);
  const { messages } = await botClient(chat.botId).listMessages({ conversationId });
  assert.equal(messages.length, 1);
  await context.close();
  done('applies the settings, keeps them for the next page, and sends a suggested question once');

  const other = await newContext(browser);
  const overridden = await site.visit(other, {
    chatUrl,
    attributes: { 'data-title': 'Own title', 'data-launcher-text': '' },
  });
  await openChat(overridden);
  await panel(overridden).getByText('Own title').waitFor();
  const off = await site.visit(other, { chatUrl, attributes: { 'data-settings': 'off' } });
  await openChat(off);
  assert.equal(await panel(off).getByText('Help desk').count(), 0);
  await other.close();
  const slow = await newContext(browser);
  await slow.route('**/widget', () => new Promise(() => {}));
  const waiting = await site.visit(slow, { chatUrl });
  await openChat(waiting);
  await slow.close();
  const broken = await newContext(browser);
  await broken.route('**/widget', route => route.fulfill({ status: 503, body: '{}' }));
  const failing = await site.visit(broken, { chatUrl });
  await openChat(failing);
  await say(failing, 'Still here');
  await bubbles(failing, 'own', 'Still here').waitFor();
  await broken.close();
  done('lets the page override settings, and works without them');
}

async function testForm(browser: Browser, site: Site, chat: Chat): Promise<void> {
  const { chatUrl } = chat;
  await store(chat, {
    fields: [
      { kind: 'name' },
      { kind: 'email', required: true },
      { kind: 'text', label: 'Order', attribute: 'orderNumber' },
    ],
    consent: { text: 'We store your messages.', url: 'https://www.example.com/privacy', required: true },
    questions: ['Why?'],
  });
  const context = await newContext(browser, PHONE);
  const page = await site.visit(context, { chatUrl });
  const calls: { path: string; body: string }[] = [];
  page.on('request', request => calls.push({ path: new URL(request.url()).pathname, body: request.postData() ?? '' }));
  await openChat(page);
  const startButton = panel(page).getByRole('button', { name: 'Start the chat' });
  assert.ok(await startButton.isDisabled());
  await panel(page).getByLabel('I agree').check();
  await startButton.click();
  await panel(page).getByLabel('Name').fill('Ada');
  await panel(page).getByLabel('Email').fill('ada@example.com');
  assert.equal(calls.length, 0);
  assert.deepEqual(await violationsIn(page), []);
  await panel(page).getByLabel('Order').fill('4711');
  await page.keyboard.press('Enter');
  await panel(page).locator('textarea').waitFor();
  await panel(page).getByRole('button', { name: 'Why?' }).click();
  await bubbles(page, 'own', 'Why?').waitFor();
  const { userId } = await storedSession(page, chatUrl);
  const { user } = await botClient(chat.botId).getUser({ id: userId });
  const { attributes } = user as unknown as { attributes: Record<string, string> };
  assert.deepEqual({ ...attributes, consentAt: '' }, { email: 'ada@example.com', orderNumber: '4711', consentAt: '' });
  assert.ok(Date.now() - Date.parse(attributes.consentAt!) < 60_000);
  assert.equal(user.name, 'Ada');
  const order = calls.map(({ path: each, body }) =>
    body.includes('conversation_started') ? 'started' : body.includes('4711') ? 'details' : each,
  );
  assert.ok(order.indexOf('details') >= 0 && order.indexOf('details') < order.indexOf('started'), order.join(' '));
  await page.reload();
  await openChat(page);
  await bubbles(page, 'own', 'Why?').waitFor();
  assert.equal(await panel(page).locator('.visitor, .consent').count(), 0);
  await context.close();
  done("stores a guest's details and consent before the conversation starts, and asks once");
}

/** Returns whether a message is in view, above the question for a rating. */
async function isAboveRating(page: Page, text: string): Promise<boolean> {
  const message = (await bubbles(page, 'other', text).boundingBox())!;
  const rating = (await panel(page).locator('.rating').boundingBox())!;
  return message.y + message.height <= rating.y;
}

async function testRating(browser: Browser, site: Site, chat: Chat): Promise<void> {
  const { chatUrl, botId } = chat;
  await store(chat, { rating: true, history: true });
  const context = await newContext(browser);
  const page = await site.visit(context, { chatUrl });
  await openChat(page);
  await say(page, 'I need a person');
  await bubbles(page, 'own', 'I need a person').waitFor();
  const { conversationId } = await storedSession(page, chatUrl);
  const { handoff } = await call('POST', '/chat/handoffs', { conversationId }, { botId });
  await call('POST', `/chat/handoffs/${handoff.id}/assign`, {}, { botId });
  await panel(page).getByText('You are talking to').waitFor();
  assert.equal(await panel(page).locator('.rating').count(), 0);
  for (const text of [...Array.from({ length: 12 }, (_, i) => `Answer ${i}`), 'The last of many']) {
    await botClient(botId).createMessage({ conversationId, userId: botId, tags: {}, type: 'text', payload: { text } });
  }
  await bubbles(page, 'other', 'The last of many').waitFor();
  await call('POST', `/chat/handoffs/${handoff.id}/end`, {}, { botId });
  const rating = panel(page).locator('.rating');
  await rating.getByText('How satisfied are you with our help?').waitFor();
  await until(() => isAboveRating(page, 'The last of many'));
  await page.reload();
  await openChat(page);
  const stored: number[] = [];
  let release: () => void = () => {};
  const isReleased = new Promise<void>(resolve => {
    release = resolve;
  });
  await page.route('**/rating', async route => {
    stored.push(route.request().postDataJSON().value);
    await isReleased;
    await route.continue();
  });
  await rating.getByRole('radio', { name: '1 of 5' }).focus();
  for (const _ of [1, 2, 3]) await page.keyboard.press('ArrowRight');
  release();
  const ratingOf = async () =>
    (await call('GET', `/chat/handoffs?conversationId=${conversationId}`, undefined, { botId })).handoffs[0].rating;
  await until(async () => (await ratingOf())?.value === 4);
  assert.deepEqual(stored, [2, 4]);
  await page.unroute('**/rating');
  await until(() => isAboveRating(page, 'The last of many'));
  done('stores a rating when it is chosen, without the values that arrow keys pass, and covers no message');

  await rating.getByPlaceholder('Comment (optional)').fill('Quick');
  assert.deepEqual(await violationsIn(page), []);
  await rating.getByRole('button', { name: 'Send' }).click();
  await rating.getByText('Thank you for your rating. 4 of 5').waitFor();
  const { value, comment } = await ratingOf();
  assert.deepEqual({ value, comment }, { value: 4, comment: 'Quick' });
  await page.reload();
  await openChat(page);
  await rating.getByRole('button', { name: 'Change' }).click();
  await rating.getByRole('radio', { name: '5 of 5' }).check({ force: true });
  await rating.getByRole('button', { name: 'Send' }).click();
  await rating.getByText('5 of 5').waitFor();
  assert.equal((await ratingOf()).value, 5);
  await rating.getByRole('button', { name: 'Dismiss' }).click();
  assert.equal(await rating.count(), 0);
  done('asks for a rating after a handoff, by push and after a reload, and lets the visitor change it');

  await page.evaluate('ParleyChat.chat.startAnew()');
  await until(async () => (await storedSession(page, chatUrl)).conversationId !== conversationId);
  await say(page, 'Something else');
  await bubbles(page, 'own', 'Something else').waitFor();
  await panel(page).getByRole('button', { name: 'Earlier conversations' }).click();
  const history = panel(page).getByRole('region', { name: 'Earlier conversations' });
  await history.getByRole('button', { name: 'The last of many' }).click();
  await history.locator('.message.own', { hasText: 'I need a person' }).waitFor();
  assert.equal(await history.locator('.message', { hasText: 'Something else' }).count(), 0);
  assert.deepEqual(await violationsIn(page), []);
  await history.getByRole('button', { name: 'Back' }).click();
  await history.getByRole('button', { name: 'Back' }).click();
  await bubbles(page, 'own', 'Something else').waitFor();
  await context.close();
  done('lists earlier conversations, and shows one');
}

export async function testWidgetContent(browser: Browser): Promise<void> {
  const chat = await newChat();
  const site = await startSite();
  try {
    await testConsole(browser, chat);
    await testSettings(browser, site, chat);
    await testForm(browser, site, chat);
    await testRating(browser, site, chat);
  } finally {
    site.stop();
    await adminClient().deleteBot({ id: chat.botId });
  }
}

/** Tests that the widget shows all message types and never runs their content. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { PAYLOADS, SCRIPT } from '#test/support/markup.ts';
import { botClient, done, local, until } from './stage.ts';
import { bubbles, panel, storedSession } from './widgetSite.ts';

const ELSEWHERE = 'https://example.com';

export async function sendAsBot(conversationId: string, type: string, payload: object): Promise<void> {
  const { botId } = local;
  await botClient(botId).createMessage({ conversationId, userId: botId, tags: {}, type, payload });
}

let picture: Promise<string> | undefined;
/** An image served by the platform. */
const pictureUrl = (): Promise<string> => {
  picture ??= (async () => {
    const { file } = await botClient(local.botId).uploadFile({
      key: 'widget/dot.svg',
      content: '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30"/></svg>',
      contentType: 'image/svg+xml',
      accessPolicies: ['public_content'],
      publicContentImmediatelyAccessible: true,
    });
    return file.url!;
  })();
  return picture;
};

const options = [
  { label: 'Red', value: 'red' },
  { label: 'Green', value: 'green' },
];
const card = (title: string, imageUrl: string) => ({
  title,
  subtitle: 'With bread',
  imageUrl,
  actions: [
    { action: 'url', label: 'Recipe', value: `${ELSEWHERE}/recipe` },
    { action: 'say', label: `Order ${title}`, value: `order ${title}` },
    { action: 'postback', label: `Ask about ${title}`, value: `ask ${title}` },
  ],
});

export async function testMessageTypes(page: Page, chatUrl: string, { isSilent = false } = {}): Promise<void> {
  const { conversationId } = await storedSession(page, chatUrl);
  const url = await pictureUrl();
  const tell = (type: string, payload: object) => sendAsBot(conversationId, type, payload);
  const last = (text: string | RegExp) => bubbles(page, 'other', text).last();

  await tell('text', { text: `Two lines\nand ${ELSEWHERE}/link.` });
  await tell('markdown', {
    markdown: `# Soups\n\nWith **bread**, [here](${ELSEWHERE}).\n\n- leek\n- pea\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n\`\`\`\nstir\n\`\`\`\n\n<b>raw</b>`,
  });
  await tell('image', { imageUrl: url, title: 'A dot' });
  await tell('image', { imageUrl: `${ELSEWHERE}/x.png`, title: 'Not loaded' });
  await tell('audio', { audioUrl: `${local.apiUrl}/none.mp3`, title: 'Bells' });
  await tell('video', { videoUrl: `${local.apiUrl}/none.mp4`, title: 'A pot' });
  await tell('file', { fileUrl: `${ELSEWHERE}/menu.pdf`, title: 'Menu' });
  await tell('location', { latitude: 52.5, longitude: 13.4, title: 'Kitchen', address: 'Main street 1' });
  await tell('bloc', {
    items: [
      { type: 'text', payload: { text: 'First of a bloc' } },
      { type: 'image', payload: { imageUrl: url } },
    ],
  });
  await tell('custom', { anything: 1 });
  await tell('card', card('Pea soup', url));
  await tell('carousel', { items: [card('Leek', url), card('Onion', url), card('Tomato', url)] });
  await tell('dropdown', { text: 'Which size?', options });
  await tell('choice', { text: 'Which colour?', options });

  await last('Two lines').getByRole('link').waitFor();
  const markdown = last('Soups').locator('.markdown');
  for (const tag of ['strong', 'a', 'li', 'table', 'pre']) await markdown.locator(tag).first().waitFor();
  await markdown.getByText('<b>raw</b>').waitFor();
  await panel(page).getByRole('img', { name: 'A dot' }).last().waitFor();
  await last('Not loaded').getByRole('link').waitFor();
  await panel(page).locator('audio').last().waitFor();
  await panel(page).locator('video').last().waitFor();
  await last('Menu').getByRole('link', { name: 'Menu' }).waitFor();
  await last('Main street 1').getByRole('link', { name: 'Show on a map' }).waitFor();
  await last('First of a bloc').locator('img').waitFor();
  await last('This message cannot be shown here.').waitFor();
  await last('Pea soup').getByRole('link', { name: 'Recipe' }).waitFor();
  await last('Tomato').locator('.card').nth(2).waitFor();
  await last('Which size?').getByRole('combobox').waitFor();
  await last('Which colour?').getByRole('button', { name: 'Green' }).waitFor();
  if (isSilent) return;
  done('shows all message types, with external content as links');
  await answer(page, conversationId);
}

async function answer(page: Page, conversationId: string): Promise<void> {
  const last = (text: string) => bubbles(page, 'other', text).last();
  const received = async (text: string) => {
    const { messages } = await botClient(local.botId).listMessages({ conversationId });
    return messages.find(({ direction, payload }) => direction === 'incoming' && payload.text === text)?.payload.value;
  };
  await last('Which size?').getByRole('combobox').selectOption('Red');
  await last('Which size?').getByRole('button', { name: 'Send' }).click();
  assert.equal(await until(() => received('Red')), 'red');
  await bubbles(page, 'own', 'Red').waitFor();
  assert.ok(await last('Which colour?').getByRole('button', { name: 'Green' }).isDisabled());
  await sendAsBot(conversationId, 'choice', { text: 'And now?', options, disableFreeText: true });
  await last('And now?').getByRole('button', { name: 'Green' }).waitFor();
  assert.ok(await panel(page).locator('textarea').isDisabled());
  await last('And now?').getByRole('button', { name: 'Green' }).click();
  assert.equal(await until(() => received('Green')), 'green');
  await panel(page).locator('textarea:enabled').waitFor();
  for (const [label, value] of [
    ['Order Pea soup', 'order Pea soup'],
    ['Ask about Leek', 'ask Leek'],
  ] as const) {
    await panel(page).getByRole('button', { name: label }).last().click();
    assert.equal(await until(() => received(label)), value);
  }
  done('sends label and value of choices, lists and buttons, and of choices only once');
}

/** Sends every payload in every field of every message type. */
export async function testMarkupInWidget(page: Page, chatUrl: string): Promise<void> {
  const { conversationId } = await storedSession(page, chatUrl);
  // Distributed over a few blocs and carousels.
  const cards = PAYLOADS.map(text => ({
    title: text,
    subtitle: text,
    imageUrl: text,
    actions: [
      { action: 'url', label: text, value: text },
      { action: 'say', label: text, value: text },
    ],
  }));
  const fields = (text: string): [string, object][] => [
    ['text', { text }],
    ['markdown', { markdown: text }],
    ['image', { imageUrl: text, title: text, alt: text }],
    ['audio', { audioUrl: text, title: text }],
    ['video', { videoUrl: text, title: text }],
    ['file', { fileUrl: text, title: text }],
    ['location', { latitude: 1, longitude: 2, title: text, address: text }],
  ];
  const messages: [string, object][] = [];
  const items = PAYLOADS.flatMap(fields).map(([type, payload]) => ({ type, payload }));
  for (let i = 0; i < items.length; i += 50) messages.push(['bloc', { items: items.slice(i, i + 50) }]);
  for (let i = 0; i < cards.length; i += 50) messages.push(['carousel', { items: cards.slice(i, i + 50) }]);
  for (let i = 0; i < PAYLOADS.length; i += 50) {
    const texts = PAYLOADS.slice(i, i + 50);
    const choices = texts.map(text => ({ label: text, value: text }));
    messages.push(['choice', { text: texts[0], options: choices }], ['dropdown', { text: texts[1], options: choices }]);
  }
  for (const text of PAYLOADS.slice(0, 10))
    messages.push([text, { [text]: text }], ['text', { text: { toString: text } }]);
  for (const [type, payload] of messages) await sendAsBot(conversationId, type, payload);
  await sendAsBot(conversationId, 'text', { text: 'The end of the markup' });
  await bubbles(page, 'other', 'The end of the markup').waitFor();
  // Leaves time for anything that would load or run.
  await page.waitForTimeout(1_000);

  assert.equal(await page.evaluate('window.ran'), undefined);
  const found = (await page.evaluate(`(() => {
    const root = document.querySelector('parley-chat').shadowRoot;
    const known = new Set('A AUDIO BDI BLOCKQUOTE BR BUTTON CODE DEL DIV EM FORM H1 HEADER HR I IMG LABEL LI OL OPTION P path PRE SECTION SELECT SPAN STRONG svg TABLE TBODY TD TEXTAREA TH THEAD TIME TR UL VIDEO'.split(' '));
    const all = [...root.querySelectorAll('*')];
    return {
      elements: [...new Set(all.map(e => e.tagName).filter(name => !known.has(name)))],
      handlers: all.flatMap(e => e.getAttributeNames().filter(name => name.startsWith('on'))),
      links: [...root.querySelectorAll('a[href]')].map(a => a.protocol).filter(p => !/^(https?|mailto|tel):$/.test(p)),
      sources: [...root.querySelectorAll('[src]')].map(e => new URL(e.src).origin).filter(o => o !== '${local.apiUrl}'),
      texts: root.textContent.includes('<script>${SCRIPT}</script>'),
    };
  })()`)) as object;
  assert.deepEqual(found, { elements: [], handlers: [], links: [], sources: [], texts: true });
  done(`${PAYLOADS.length} payloads with markup are shown as text in every field: ${messages.length} messages`);
}

/** The tag that the console shows for a page. */
import { expect, it } from 'vitest';
import { widgetTag } from '#console/src/pages/integrations/widgetTag.ts';

const tagged = {
  page: 'https://console.example.com/',
  platform: {
    apiUrl: 'https://api.example.com/prod',
    chatUrl: 'https://chat.example.com/prod',
    contentOrigins: ['https://bucket.example.com', 'https://files.example.com'],
  },
  chat: { name: 'chat', webhookId: '0a1b' },
};

it('contains the script, the chat and the origins of files', () => {
  expect(widgetTag(tagged)).toBe(`<script
  src="https://console.example.com/widget.js"
  data-chat-url="https://chat.example.com/prod/0a1b"
  data-media-origins="https://api.example.com https://bucket.example.com https://files.example.com"
  async
></script>`);
});

it('omits duplicate origins, and supports a path', () => {
  const origin = 'http://127.0.0.1:4100';
  const platform = { apiUrl: origin, chatUrl: `${origin}/chat`, contentOrigins: [] };

  expect(widgetTag({ ...tagged, page: `${origin}/console/`, platform })).toBe(`<script
  src="${origin}/console/widget.js"
  data-chat-url="${origin}/chat/0a1b"
  async
></script>`);
});

it.each([
  [{ name: 'acme/webchat' }, true],
  [{ name: 'chat', configuration: { payloadExtensions: true } }, true],
  [{ name: 'chat', configuration: { fileUploads: true } }, true],
  [{ name: 'webchat', configuration: { fileUploads: false } }, false],
  [{ name: 'chat', configuration: {} }, false],
])('offers uploads if the installation accepts them: %o', (chat, takesFiles) => {
  expect(widgetTag({ ...tagged, chat: { webhookId: '0a1b', ...chat } }).includes('data-uploads')).toBe(takesFiles);
});

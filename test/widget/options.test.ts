import { expect, it } from 'vitest';
import { readOptions } from '#widget/options.ts';

const chatUrl = 'https://chat.example.com/prod/0a1b';

it('requires only the URL of the chat', () => {
  expect(readOptions({ chatUrl: `${chatUrl}/` })).toEqual({
    chatUrl,
    userKey: undefined,
    title: undefined,
    lang: undefined,
    theme: 'auto',
    position: 'end',
    storage: 'local',
    uploads: false,
    open: false,
    mediaOrigins: ['https://chat.example.com'],
  });
});

it('reads all options', () => {
  const options = {
    chatUrl,
    userKey: 'key',
    title: 'Help',
    lang: 'fr',
    theme: 'dark',
    position: 'start',
    storage: 'session',
    uploads: '',
    open: 'on',
    mediaOrigins: 'https://files.example.com/x, http://127.0.0.1:4100 *',
  };

  expect(readOptions(options)).toEqual({
    ...options,
    uploads: true,
    open: true,
    mediaOrigins: ['https://chat.example.com', 'https://files.example.com', 'http://127.0.0.1:4100', '*'],
  });
  expect(readOptions({ chatUrl, uploads: 'off', open: 'false' })).toMatchObject({ uploads: false, open: false });
});

it.each([
  [{}, 'data-chat-url must be the address of an installed chat'],
  [{ chatUrl: 'chat.example.com' }, 'data-chat-url'],
  [{ chatUrl: 'javascript:alert(1)' }, 'data-chat-url'],
  [{ chatUrl: 'https://chat.example.com' }, 'data-chat-url'],
  [{ chatUrl, theme: 'blue' }, 'data-theme is "blue". It must be one of auto, light, dark.'],
  [{ chatUrl, position: 'left' }, 'data-position is "left". It must be one of end, start.'],
  [{ chatUrl, storage: 'cookie' }, 'data-storage is "cookie"'],
  [{ chatUrl, mediaOrigins: 'files.example.com' }, 'data-media-origins has "files.example.com"'],
])('rejects %o with the valid form', (given, message) => {
  expect(() => readOptions(given)).toThrow(message);
});

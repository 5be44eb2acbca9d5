import { afterEach, expect, it, vi } from 'vitest';
import { LANGUAGES } from '#widget/languages.ts';
import { readOptions } from '#widget/options.ts';

afterEach(() => vi.restoreAllMocks());

const chatUrl = 'https://chat.example.com/prod/0a1b';

it('requires only the URL of the chat', () => {
  expect(readOptions({ chatUrl: `${chatUrl}/` })).toEqual({
    chatUrl,
    texts: {},
    theme: 'auto',
    position: 'end',
    storage: 'local',
    uploads: false,
    open: false,
    visits: true,
    mediaOrigins: ['https://chat.example.com'],
    content: {},
    hasStoredSettings: true,
    preview: false,
  });
});

it('reads all options', () => {
  const options = {
    chatUrl,
    userKey: 'key',
    userName: 'Ada',
    title: 'Help',
    greeting: 'Hello <b>there</b>',
    launcherText: 'Ask us',
    launcherIcon: 'https://shop.example.com/chat.svg',
    avatar: 'data:image/png;base64,iVBORw0KGgo=',
    texts: '{"placeholder":"Ask something"}',
    lang: 'fr',
    theme: 'dark',
    position: 'start',
    storage: 'session',
    uploads: '',
    open: 'on',
    visits: 'off',
    mediaOrigins: 'https://files.example.com/x, http://127.0.0.1:4100 *',
  };

  expect(readOptions(options)).toEqual({
    ...options,
    texts: { placeholder: 'Ask something' },
    uploads: true,
    open: true,
    visits: false,
    mediaOrigins: ['https://chat.example.com', 'https://files.example.com', 'http://127.0.0.1:4100', '*'],
    content: {},
    hasStoredSettings: true,
    preview: false,
  });
  expect(readOptions({ chatUrl, uploads: 'off', open: 'false' })).toMatchObject({ uploads: false, open: false });
  expect(readOptions({ chatUrl, uploads: true, open: false })).toMatchObject({ uploads: true, open: false });
});

it('accepts texts as an object, and ignores unknown keys and wrong values with a warning', () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const texts = {
    placeholder: 'Ask <i>us</i>',
    plcaeholder: 'Ask',
    send: 3,
    constructor: 'x',
    open: 'x'.repeat(501),
    close: undefined,
  };

  const { texts: read } = readOptions({ chatUrl, texts });

  expect(read).toEqual({ placeholder: 'Ask <i>us</i>' });
  expect(warned.mock.calls.map(([message]) => String(message))).toEqual([
    expect.stringContaining('data-texts has the unknown key "plcaeholder". The keys are title, open,'),
    expect.stringContaining('wrong value for "send". It must be a text of 1 to 500 characters.'),
    expect.stringContaining('unknown key "constructor"'),
    expect.stringContaining('wrong value for "open"'),
  ]);
});

it('accepts every text of the widget', () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});

  expect(readOptions({ chatUrl, texts: JSON.stringify(LANGUAGES.de) }).texts).toEqual(LANGUAGES.de);
  expect(warned).not.toHaveBeenCalled();
});

const MEGABYTE = 'x'.repeat(1_000_000);

it.each([
  [{}, 'data-chat-url must be the address of an installed chat'],
  [{ chatUrl: 'chat.example.com' }, 'data-chat-url'],
  [{ chatUrl: 'javascript:alert(1)' }, 'data-chat-url'],
  [{ chatUrl: 'https://chat.example.com' }, 'data-chat-url'],
  [{ chatUrl, theme: 'blue' }, 'data-theme is "blue". It must be one of auto, light, dark.'],
  [{ chatUrl, position: 'left' }, 'data-position is "left". It must be one of end, start.'],
  [{ chatUrl, storage: 'cookie' }, 'data-storage is "cookie"'],
  [{ chatUrl, mediaOrigins: 'files.example.com' }, 'data-media-origins has "files.example.com"'],
  [{ chatUrl, avatar: 'javascript:alert(1)' }, 'data-avatar is "javascript:alert(1)". It must be an https URL'],
  [{ chatUrl, avatar: ' JavaScript:alert(1)' }, 'data-avatar is'],
  [{ chatUrl, avatar: 'data:text/html,<script>alert(1)</script>' }, 'data-avatar is'],
  [{ chatUrl, avatar: 'face.png' }, 'data-avatar is'],
  [{ chatUrl, launcherIcon: 'blob:https://shop.example.com/1' }, 'data-launcher-icon is'],
  [{ chatUrl, launcherIcon: `data:image/png;base64,${MEGABYTE}` }, 'It can have at most 200000'],
  [{ chatUrl, title: MEGABYTE }, 'data-title has 1000000 characters. It can have at most 200.'],
  [{ chatUrl, greeting: MEGABYTE }, 'data-greeting has 1000000 characters. It can have at most 1000.'],
  [{ chatUrl, launcherText: MEGABYTE }, 'data-launcher-text has 1000000 characters. It can have at most 60.'],
  [{ chatUrl, userName: MEGABYTE }, 'data-user-name has 1000000 characters. It can have at most 1000.'],
  [{ chatUrl, theme: MEGABYTE }, `data-theme is "${'x'.repeat(100)}…". It must be one of`],
  [{ chatUrl, greeting: 3 }, 'data-greeting must be a text.'],
  [{ chatUrl, texts: 'placeholder=x' }, 'data-texts must be JSON, as in {"placeholder":"Ask something"}.'],
  [{ chatUrl, texts: '["x"]' }, 'data-texts must be JSON'],
])('rejects %o with the valid form', (given, message) => {
  expect(() => readOptions(given)).toThrow(message);
});

const SETTINGS = {
  title: 'Help',
  greeting: 'Hello!',
  avatar: 'https://shop.example.com/bot.png',
  logo: 'https://shop.example.com/logo.svg',
  launcher: { text: 'Ask us', icon: 'https://shop.example.com/chat.svg', position: 'start' },
  questions: ['Where is my order?'],
} as const;

it('applies settings, which options of the page override', () => {
  expect(readOptions({ chatUrl }, SETTINGS)).toMatchObject({
    ...{ title: 'Help', greeting: 'Hello!', avatar: SETTINGS.avatar, position: 'start' },
    ...{ launcherText: 'Ask us', launcherIcon: SETTINGS.launcher.icon },
    content: { logo: SETTINGS.logo, questions: SETTINGS.questions },
  });
  const own = { title: 'Own', greeting: '', launcherText: 'Chat', position: 'end', avatar: undefined };
  expect(readOptions({ chatUrl, ...own }, SETTINGS)).toMatchObject({
    ...{ title: 'Own', greeting: undefined, launcherText: 'Chat', position: 'end', avatar: SETTINGS.avatar },
  });
});

it('reads settings of the page, or none, instead of the stored ones', () => {
  const given = readOptions({ chatUrl, settings: JSON.stringify(SETTINGS) });

  expect(given).toMatchObject({ title: 'Help', hasStoredSettings: false, content: { questions: SETTINGS.questions } });
  expect(readOptions({ chatUrl, settings: SETTINGS })).toEqual(given);
  for (const settings of ['off', false]) {
    expect(readOptions({ chatUrl, settings })).toMatchObject({ content: {}, hasStoredSettings: false });
  }
  expect(readOptions({ chatUrl, settings: 'on' }).hasStoredSettings).toBe(true);
  expect(() => readOptions({ chatUrl, settings: 'none' })).toThrow('data-settings must be JSON');
  expect(() => readOptions({ chatUrl, settings: { logo: 'javascript:alert(1)' } })).toThrow('data-settings is');
});

it('drops parts of settings that have another form', () => {
  const settings = {
    questions: 'Why?',
    fields: {},
    accent: 'red',
    hours: { timeZone: 'UTC' },
    launcher: [],
    rating: true,
  };

  expect(readOptions({ chatUrl, settings }).content).toEqual({ rating: true });
});

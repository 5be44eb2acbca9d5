/** Options set by the embedding page, in the tag's attributes or through the API. */
import { imageAddress, parse } from './addresses.ts';
import { LANGUAGES, type Words } from './languages.ts';
import { USER_LIMITS } from './limits.ts';
import type { ChatOptions, ChatSettings, ChatTheme } from './package/index.d.ts';
import { startOf } from './parts/payloadValues.ts';
import { optionsOf, settingsOf } from './settings.ts';
import { STORAGES, type Storage } from './talk/memory.ts';
import { warn } from './warn.ts';

export const THEMES = ['auto', 'light', 'dark'] as const satisfies ChatTheme[];
const POSITIONS = ['end', 'start'] as const;

const LONGEST = { title: 200, greeting: 1_000, launcherText: 60, text: 500, image: 200_000, shown: 100 };

/** Options that are used as the page gives them. */
type GivenOption =
  | ('chatUrl' | 'userKey' | 'userName' | 'title' | 'greeting')
  | ('launcherText' | 'launcherIcon' | 'avatar' | 'lang');

export interface Options extends Pick<ChatOptions, GivenOption> {
  /** Texts that replace those of the language. */
  texts: Partial<Words>;
  theme: ChatTheme;
  position: (typeof POSITIONS)[number];
  storage: Storage;
  uploads: boolean;
  open: boolean;
  /** Reports the visitor's pages to the people who handle the conversation. */
  visits: boolean;
  /** Origins from which media is shown, in addition to the chat's. */
  mediaOrigins: readonly string[];
  /** Content without an option of its own. */
  content: Omit<ChatSettings, 'title' | 'greeting' | 'avatar' | 'launcher'>;
  /** False if the page gives the settings, or turns them off. */
  hasStoredSettings: boolean;
  /** Shows the widget without a call. */
  preview: boolean;
}

/** Options of a script or attributes of a tag, neither of which is checked. */
export type Given = { readonly [Name in keyof ChatOptions]?: unknown };

/**
 * @param settings replace those of the page
 * @throws Error that states the problem and the fix
 */
export function readOptions(page: Given, settings?: ChatSettings): Options {
  const { logo, ...content } = settings ?? givenSettings(page.settings) ?? {};
  const given: Given = { ...optionsOf(content), ...withoutAbsent(page) };
  const chatUrl = parse(String(given.chatUrl ?? ''));
  if (!chatUrl || !/^https?:$/.test(chatUrl.protocol) || chatUrl.pathname.length < 2) {
    throw new Error(
      'data-chat-url must be the address of an installed chat, as in https://chat.example.com/0a1b2c3d. The console shows it on the overview of the bot.',
    );
  }
  return {
    chatUrl: chatUrl.origin + chatUrl.pathname.replace(/\/+$/, ''),
    userKey: textOf('user-key', given.userKey),
    userName: textOf('user-name', given.userName, USER_LIMITS.name),
    title: textOf('title', given.title, LONGEST.title),
    greeting: textOf('greeting', given.greeting, LONGEST.greeting),
    launcherText: textOf('launcher-text', given.launcherText, LONGEST.launcherText),
    launcherIcon: imageOf('launcher-icon', given.launcherIcon),
    avatar: imageOf('avatar', given.avatar),
    texts: textsOf(given.texts),
    lang: textOf('lang', given.lang),
    theme: oneOf(THEMES, 'theme', given.theme),
    position: oneOf(POSITIONS, 'position', given.position),
    storage: oneOf(STORAGES, 'storage', given.storage),
    uploads: isOn(given.uploads),
    open: isOn(given.open),
    visits: isOn(given.visits ?? true),
    mediaOrigins: [chatUrl.origin, ...originsOf(textOf('media-origins', given.mediaOrigins) ?? '')],
    content: { ...content, logo: imageOf('settings', logo) },
    hasStoredSettings: givenSettings(page.settings) === undefined,
    preview: isOn(given.preview),
  };
}

const withoutAbsent = (given: Given): Given =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== null));

/** Returns undefined if the chat has the settings. */
function givenSettings(given: unknown): ChatSettings | undefined {
  if (given === undefined || given === null || given === '' || given === 'on') return undefined;
  if (given === 'off' || given === false) return {};
  return settingsOf(objectOf('settings', given, '{"greeting":"Hello!"}, or off'));
}

/** An attribute without a value counts as true. */
const isOn = (value: unknown): boolean => value !== undefined && !['off', 'false'].includes(String(value));

export function oneOf<Value extends string>(values: readonly Value[], name: string, given: unknown): Value {
  const value = given || values[0]!;
  if (values.includes(value as Value)) return value as Value;
  throw new Error(`data-${name} is "${brief(value)}". It must be one of ${values.join(', ')}.`);
}

/** Returns undefined for an empty text. */
function textOf(name: string, given: unknown, longest = Number.POSITIVE_INFINITY): string | undefined {
  if (given === undefined || given === null) return undefined;
  if (typeof given !== 'string') throw new Error(`data-${name} must be a text.`);
  if (given.length <= longest) return given.trim() ? given : undefined;
  throw new Error(`data-${name} has ${given.length} characters. It can have at most ${longest}.`);
}

function imageOf(name: string, given: unknown): string | undefined {
  const value = textOf(name, given, LONGEST.image);
  const address = value && imageAddress(value.trim());
  if (!value || address) return address;
  throw new Error(`data-${name} is "${brief(value)}". It must be an https URL, or a data URL of an image.`);
}

/** Ignores unknown keys with a warning, because a text of another version must not prevent the chat. */
function textsOf(given: unknown): Partial<Words> {
  const texts: Partial<Words> = {};
  for (const [key, text] of Object.entries(objectOf('texts', given, '{"placeholder":"Ask something"}'))) {
    if (text === undefined) continue;
    if (!Object.hasOwn(LANGUAGES.en, key)) {
      warn(`data-texts has the unknown key "${brief(key)}". The keys are ${Object.keys(LANGUAGES.en).join(', ')}.`);
    } else if (typeof text !== 'string' || text.trim() === '' || text.length > LONGEST.text) {
      warn(`data-texts has a wrong value for "${key}". It must be a text of 1 to ${LONGEST.text} characters.`);
    } else texts[key as keyof Words] = text;
  }
  return texts;
}

function objectOf(name: string, given: unknown, example: string): object {
  let value = given || {};
  try {
    if (typeof value === 'string') value = JSON.parse(value);
  } catch {
    // The error below has the form.
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new Error(`data-${name} must be JSON, as in ${example}.`);
}

function originsOf(list: string): string[] {
  return list
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(each => {
      if (each === '*') return each;
      const url = parse(each);
      if (url && /^https?:$/.test(url.protocol)) return url.origin;
      throw new Error(
        `data-media-origins has "${brief(each)}". It takes origins like https://files.example.com, or *.`,
      );
    });
}

/** Error messages contain the start of a long value. */
function brief(value: unknown): string {
  const text = String(value);
  return text.length > LONGEST.shown ? `${startOf(text, LONGEST.shown)}…` : text;
}

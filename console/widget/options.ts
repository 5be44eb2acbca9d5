/** Options of the embedding page, from the tag's attributes or the API. */
import { parse } from './addresses.ts';
import { STORAGES, type Storage } from './talk/memory.ts';

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];
const POSITIONS = ['end', 'start'] as const;

export interface Options {
  /** `{chat base}/{webhookId}` */
  chatUrl: string;
  /** The key of a user whom the page knows. */
  userKey?: string | undefined;
  title?: string | undefined;
  /** A language tag; else that of the page or the browser. */
  lang?: string | undefined;
  theme: Theme;
  position: (typeof POSITIONS)[number];
  storage: Storage;
  /** Visitors can attach files. */
  uploads: boolean;
  /** The chat is open from the start. */
  open: boolean;
  /** Origins whose pictures, recordings and videos are shown. That of the chat is always one. */
  mediaOrigins: readonly string[];
}

/** @throws Error that names the fault and the way out */
export function readOptions(given: Readonly<Record<string, string | undefined>>): Options {
  const chatUrl = parse(given.chatUrl ?? '');
  if (!chatUrl || !/^https?:$/.test(chatUrl.protocol) || chatUrl.pathname.length < 2) {
    throw new Error(
      'data-chat-url must be the address of an installed chat, as in https://chat.example.com/0a1b2c3d. The console shows it on the overview of the bot.',
    );
  }
  return {
    chatUrl: chatUrl.origin + chatUrl.pathname.replace(/\/+$/, ''),
    userKey: given.userKey || undefined,
    title: given.title || undefined,
    lang: given.lang || undefined,
    theme: oneOf(THEMES, 'theme', given.theme),
    position: oneOf(POSITIONS, 'position', given.position),
    storage: oneOf(STORAGES, 'storage', given.storage),
    uploads: isOn(given.uploads),
    open: isOn(given.open),
    mediaOrigins: [chatUrl.origin, ...originsOf(given.mediaOrigins ?? '')],
  };
}

/** An attribute without a value is on. */
const isOn = (value: string | undefined): boolean => value !== undefined && value !== 'off' && value !== 'false';

export function oneOf<Value extends string>(values: readonly Value[], name: string, given: string | undefined): Value {
  const value = given || values[0]!;
  if (values.includes(value as Value)) return value as Value;
  throw new Error(`data-${name} is "${value}". It must be one of ${values.join(', ')}.`);
}

function originsOf(list: string): string[] {
  return list
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(each => {
      if (each === '*') return each;
      const url = parse(each);
      if (url && /^https?:$/.test(url.protocol)) return url.origin;
      throw new Error(`data-media-origins has "${each}". It takes origins like https://files.example.com, or *.`);
    });
}

/** Options set by the embedding page, in the tag's attributes or through the API. */
import { parse } from './addresses.ts';
import { STORAGES, type Storage } from './talk/memory.ts';

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];
const POSITIONS = ['end', 'start'] as const;

export interface Options {
  /** `{chat base}/{webhookId}` */
  chatUrl: string;
  /** The key of a user that the page identified. */
  userKey?: string | undefined;
  title?: string | undefined;
  /** A language tag; by default that of the page or browser. */
  lang?: string | undefined;
  theme: Theme;
  position: (typeof POSITIONS)[number];
  storage: Storage;
  uploads: boolean;
  open: boolean;
  /** Origins from which media is shown, in addition to the chat's. */
  mediaOrigins: readonly string[];
}

/** @throws Error that states the problem and the fix */
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

/** An attribute without a value counts as true. */
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

/** Content of the widget that the console configures: read from the chat, and kept in the browser's storage. */
import type { ChatOptions, ChatSettings } from './package/index.d.ts';
import type { Shelf } from './talk/memory.ts';

/** A page waits this long for its first settings. */
export const FIRST_WAIT_MS = 1_500;
const FRESH_MS = 5 * 60_000;

interface Stored {
  settings: ChatSettings;
  readAtMs: number;
}

export class SettingsStore {
  #chatUrl: string;
  #shelf: Shelf | undefined;

  constructor(chatUrl: string, shelf: Shelf | undefined) {
    this.#chatUrl = chatUrl;
    this.#shelf = shelf;
  }

  get #name(): string {
    return `parley-chat-settings:${this.#chatUrl}`;
  }

  /** Returns the settings of an earlier page. */
  read(nowMs: number): { settings: ChatSettings; isFresh: boolean } | undefined {
    try {
      const { settings, readAtMs } = JSON.parse(this.#shelf?.getItem(this.#name) ?? '') as Stored;
      return { settings: settingsOf(settings), isFresh: Math.abs(nowMs - readAtMs) < FRESH_MS };
    } catch {
      // Nothing is stored, storage is blocked, or its content is corrupt.
      return undefined;
    }
  }

  /** Unlike other calls, this one may be answered by the browser's cache. @throws Error */
  async load(signal: AbortSignal): Promise<ChatSettings> {
    const response = await fetch(`${this.#chatUrl}/widget`, { credentials: 'omit', signal });
    if (!response.ok) throw new Error(`The settings were answered with ${response.status}.`);
    const settings = settingsOf(((await response.json()) as { settings?: unknown }).settings);
    try {
      this.#shelf?.setItem(this.#name, JSON.stringify({ settings, readAtMs: Date.now() } satisfies Stored));
    } catch {
      // Storage is full or blocked.
    }
    return settings;
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const LISTS = ['questions', 'fields'] as const;
const OBJECTS = ['accent', 'launcher', 'consent', 'hours'] as const;

/** Drops parts of another form, which a page or another version of the chat may give. @throws Error */
export function settingsOf(value: unknown): ChatSettings {
  if (!isObject(value)) throw new Error('The settings must be an object, as in {"greeting":"Hello!"}.');
  const settings: ChatSettings = { ...value };
  for (const name of LISTS) if (!Array.isArray(settings[name])) delete settings[name];
  for (const name of OBJECTS) if (!isObject(settings[name])) delete settings[name];
  if (!Array.isArray(settings.hours?.periods)) delete settings.hours;
  return settings;
}

/** Settings that are options as well. Those of the page override them. */
export const optionsOf = ({ title, greeting, avatar, launcher }: ChatSettings): Partial<ChatOptions> => ({
  ...{ title, greeting, avatar },
  ...{ launcherText: launcher?.text, launcherIcon: launcher?.icon, position: launcher?.position },
});

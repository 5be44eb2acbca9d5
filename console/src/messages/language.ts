/** Language of the console: the user's choice, by default the browser's. A change reloads the page. */

export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

const KEY = 'parley-console-language';

const isLanguage = (text: string | null | undefined): text is Language =>
  text != null && Object.hasOwn(LANGUAGES, text);

/** Returns the first supported language, or English. */
export const firstSupported = (wanted: readonly (string | null | undefined)[]): Language =>
  wanted.map(tag => tag?.split('-')[0]?.toLowerCase()).find(isLanguage) ?? 'en';

/** Returns the browser's regional variant of a language, which determines the format of dates. */
export const localeOf = (language: Language, preferred: readonly string[]): string =>
  preferred.find(tag => firstSupported([tag, 'en']) === language && tag.toLowerCase().startsWith(language)) ?? language;

export const language: Language =
  typeof window === 'undefined' ? 'en' : firstSupported([localStorage.getItem(KEY), ...navigator.languages]);
export const locale: string = typeof window === 'undefined' ? 'en' : localeOf(language, navigator.languages);

export function chooseLanguage(chosen: Language): void {
  localStorage.setItem(KEY, chosen);
  location.reload();
}

/** Texts about the visit of a customer. All values come from their browser. */
import { isolate } from '../../messages/bidi.ts';
import { locale } from '../../messages/language.ts';

/** Returns the URL if a browser opens it as a web page. */
export function webUrl(url: string): string | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.href : undefined;
}

/** Omits the scheme. */
export const shortUrl = (url: string): string => url.replace(/^https?:\/\//, '').replace(/\/$/, '');

/** Returns the present weekday and time with the zone, or undefined for an unknown time zone. */
export function localTime(timeZone: string, now = new Date()): string | undefined {
  try {
    const format = new Intl.DateTimeFormat(locale, { weekday: 'short', hour: '2-digit', minute: '2-digit', timeZone });
    return `${format.format(now)} (${isolate(timeZone.replaceAll('_', ' '))})`;
  } catch {
    return undefined;
  }
}

/** Returns the name of a language, or its tag if it is unknown. */
export function languageName(tag: string): string {
  try {
    return new Intl.DisplayNames([locale], { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

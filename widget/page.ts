/** Describes the page for the people who handle the conversation (docs/widget.md#visits). */
import { startOf } from './parts/payloadValues.ts';
import type { Visit } from './talk/chatContract.ts';

/** Limits of the chat API. */
const LONGEST = { url: 2_000, title: 200 };

/** Origin and path: queries and fragments may contain secrets. */
function withoutQuery({ origin, pathname }: Pick<URL, 'origin' | 'pathname'>): string {
  const url = origin + pathname;
  return url.length > LONGEST.url ? `${origin}/` : url;
}

function pageUrl(): string {
  const campaign = [...new URLSearchParams(location.search)].filter(([name]) => /^utm_[a-z]+$/.test(name));
  const url = withoutQuery(location);
  const full = campaign.length > 0 ? `${url}?${new URLSearchParams(campaign)}` : url;
  return full.length > LONGEST.url ? url : full;
}

/** Pages of the same site are listed as visited ones. */
function referrer(): string | undefined {
  const url = URL.canParse(document.referrer) ? new URL(document.referrer) : undefined;
  return url && /^https?:$/.test(url.protocol) && url.origin !== location.origin ? withoutQuery(url) : undefined;
}

const matching = (pattern: RegExp, value: string | undefined) => (value && pattern.test(value) ? value : undefined);

/** Returns undefined for a page without a web address. */
export function readVisit(): Visit | undefined {
  if (!/^https?:$/.test(location.protocol)) return undefined;
  const title = startOf(document.title.trim(), LONGEST.title);
  return {
    url: pageUrl(),
    title: title || undefined,
    referrer: referrer(),
    language: matching(/^[A-Za-z0-9-]{1,35}$/, navigator.language),
    timeZone: matching(/^[A-Za-z0-9_+/-]{1,64}$/, Intl.DateTimeFormat().resolvedOptions().timeZone),
  };
}

/**
 * Calls back after navigations, also those of single-page applications. Browsers without the Navigation API report only
 * some of them, so clicks count too.
 * @returns a function that ends it
 */
export function followPages(onChange: () => void): () => void {
  const over = new AbortController();
  const { signal } = over;
  const { navigation } = window as { navigation?: EventTarget };
  if (navigation) navigation.addEventListener('currententrychange', onChange, { signal });
  else {
    for (const name of ['popstate', 'hashchange', 'click']) addEventListener(name, onChange, { signal, passive: true });
  }
  document.addEventListener('visibilitychange', onChange, { signal });
  return () => over.abort();
}

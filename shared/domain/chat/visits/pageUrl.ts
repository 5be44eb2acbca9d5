/** Reduces the URLs of visits, because queries and fragments may contain secrets. */

/** Longer URLs lose their query, then their path. */
const MAX_LENGTH = 500;
const MAX_VALUE = 100;
const CAMPAIGN = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content', 'utm_id'] as const;

function parsed(text: string): URL | undefined {
  const url = URL.parse(text);
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}

export const isPageUrl = (text: string): boolean => parsed(text) !== undefined;

const firstThatFits = (...candidates: string[]): string =>
  candidates.find(({ length }) => length <= MAX_LENGTH) ?? candidates.at(-1)!;

/** Returns origin and path of a web page, with the parameters of campaigns. */
export function pageUrlOf(text: string): string {
  const { origin, pathname, searchParams } = parsed(text)!;
  const query = new URLSearchParams(
    CAMPAIGN.map(name => [name, searchParams.get(name) ?? '']).filter(
      (pair): pair is [string, string] => pair[1] !== '' && pair[1]!.length <= MAX_VALUE,
    ),
  );
  const page = origin + pathname;
  return firstThatFits(query.size > 0 ? `${page}?${query}` : page, page, `${origin}/`);
}

/** Returns origin and path. */
export function referrerOf(text: string): string {
  const { origin, pathname } = parsed(text)!;
  return firstThatFits(origin + pathname, `${origin}/`);
}

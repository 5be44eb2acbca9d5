/** Names in user agents. Most browsers also name others, so the more specific names come first. */
const BROWSERS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;
const SYSTEMS = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['CrOS', 'ChromeOS'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const;

/** Returns a name by which the user recognizes the browser, such as "Firefox, Linux". */
export const browserName = (userAgent = navigator.userAgent): string =>
  [BROWSERS, SYSTEMS].flatMap(names => names.find(([part]) => userAgent.includes(part))?.[1] ?? []).join(', ');

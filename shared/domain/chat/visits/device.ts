/** Reduces a User-Agent header to the names of browser and system and the kind of device. */
import Bowser from 'bowser';
import type { DEVICE_KINDS, Visit } from '#shared/storage/dynamodb/chat/visits.ts';

/** Longer headers are not of a browser. */
const MAX_HEADER = 1_000;

const KINDS: Record<string, (typeof DEVICE_KINDS)[number]> = {
  desktop: 'desktop',
  mobile: 'phone',
  tablet: 'tablet',
  tv: 'tv',
  bot: 'bot',
};

export function deviceOf(userAgent: string | undefined): Pick<Visit, 'browser' | 'os' | 'device'> {
  if (!userAgent || userAgent.length > MAX_HEADER) return {};
  const { browser, os, platform } = Bowser.parse(userAgent);
  return {
    // The major version suffices to reproduce a problem, and does not identify a device.
    browser: nameWith(browser.name, browser.version?.split('.')[0]),
    os: nameWith(os.name, os.versionName),
    device: KINDS[platform.type ?? ''],
  };
}

const nameWith = (name: string | undefined, version: string | undefined): string | undefined =>
  name ? [name, version].filter(Boolean).join(' ') : undefined;

import { useEffect, useState } from 'preact/hooks';
import type { Language, Words } from '../languages.ts';
import { daysBetween, openingAt } from '../openingHours.ts';
import type { ChatSettings } from '../package/index.d.ts';
import { warn } from '../warn.ts';
import { useAround } from './around.ts';

const UPDATE_MS = 30_000;
const REPLY_TIMES = { minutes: 'replyMinutes', hours: 'replyHours', day: 'replyDay' } as const;

/** The usual time of a reply, or the next opening of a closed team, in the visitor's time zone. */
export function Availability({ settings }: { settings: Pick<ChatSettings, 'hours' | 'replyTime'> }) {
  const { words, language } = useAround();
  const [nowMs, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), UPDATE_MS);
    return () => clearInterval(timer);
  }, []);
  return <>{availabilityText(settings, nowMs, words, language)}</>;
}

export function availabilityText(
  { hours, replyTime }: Pick<ChatSettings, 'hours' | 'replyTime'>,
  nowMs: number,
  words: Words,
  language: Language,
): string {
  const opensAtMs = hours && opensAt(hours, nowMs);
  if (opensAtMs === undefined) return replyTime ? words[REPLY_TIMES[replyTime]] : '';
  const days = daysBetween(nowMs, opensAtMs);
  const phrase = days === 0 ? words.backToday : days === 1 ? words.backTomorrow : words.backOn;
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(language, options).format(opensAtMs);
  return phrase
    .replace('{day}', () => format({ weekday: 'long' }))
    .replace('{time}', () => format({ hour: 'numeric', minute: '2-digit' }));
}

/** Undefined while the team is open. */
function opensAt(hours: NonNullable<ChatSettings['hours']>, nowMs: number): number | undefined {
  try {
    return openingAt(hours, nowMs).opensAtMs;
  } catch (error) {
    // The browser does not know the time zone.
    warn(`The opening hours are ignored: ${(error as Error).message}`);
    return undefined;
  }
}

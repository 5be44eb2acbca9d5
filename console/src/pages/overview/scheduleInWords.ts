/** Describes common cron expressions in words. Their times are in UTC. */
import { bots } from '../../messages/en/bots.ts';
import { locale } from '../../messages/language.ts';
import { translator } from '../../messages/translate.ts';

const t = translator('bots', bots);

const NICKNAMES: Record<string, string> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
};
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const NUMBER = /^\d{1,2}$/;
const STEP = /^\*\/(\d{1,2})$/;
/** Sunday, January 4, 1970. */
const SUNDAY_MS = 3 * 86_400_000;

const inUtc = (ms: number, options: Intl.DateTimeFormatOptions) =>
  new Date(ms).toLocaleString(locale, { ...options, timeZone: 'UTC' });
const timeOf = (hour: string, minute: string) =>
  inUtc(Date.UTC(1970, 0, 1, Number(hour), Number(minute)), { hour: '2-digit', minute: '2-digit' });

/** Returns undefined for expressions without a short description. */
export function scheduleInWords(cron: string): string | undefined {
  const text = cron.trim();
  const fields = (NICKNAMES[text.toLowerCase()] ?? text).split(/\s+/);
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = fields;
  if (fields.length !== 5) return undefined;
  const isEveryDay = day === '*' && month === '*' && weekday === '*';
  if (!NUMBER.test(minute)) {
    if (!isEveryDay || hour !== '*') return undefined;
    const step = STEP.exec(minute)?.[1];
    if (step !== undefined && step !== '1') return t('everyMinutes', { step });
    return minute === '*' || step === '1' ? t('everyMinute') : undefined;
  }
  if (!NUMBER.test(hour)) {
    const step = STEP.exec(hour)?.[1];
    if (!isEveryDay) return undefined;
    if (hour === '*') return t('everyHour', { minute });
    return step === undefined ? undefined : t('everyHours', { step, minute });
  }
  const time = timeOf(hour, minute);
  if (isEveryDay) return t('everyDay', { time });
  if (day === '*' && month === '*') {
    const days = daysInWords(weekday);
    return days && t('onDays', { days, time });
  }
  if (weekday !== '*' || !NUMBER.test(day)) return undefined;
  if (month === '*') return t('onDayOfMonth', { day, time });
  if (!NUMBER.test(month)) return undefined;
  const date = inUtc(Date.UTC(2000, Number(month) - 1, Number(day)), { month: 'long', day: 'numeric' });
  return t('onceAYear', { date, time });
}

function daysInWords(weekday: string): string | undefined {
  const text = weekday.toUpperCase();
  if (text === 'MON-FRI' || text === '1-5') return t('weekdays');
  const numbers = text.split(',').map(each => (NUMBER.test(each) ? Number(each) % 7 : DAYS.indexOf(each)));
  if (numbers.includes(-1)) return undefined;
  const names = numbers.map(number => inUtc(SUNDAY_MS + number * 86_400_000, { weekday: 'long' }));
  return new Intl.ListFormat(locale).format(names);
}

import { Table, Text } from '@mantine/core';
import type { Report } from '../../api/contract.ts';
import { reports } from '../../messages/en/reports.ts';
import { translator } from '../../messages/translate.ts';
import { Section } from '../../parts/Section.tsx';
import { formatCount, formatWeekday } from './formats.ts';
import classes from './Reports.module.css';

const t = translator('reports', reports);

/** Hours that have a visible label. */
const LABELED = 3;
const hourName = (hour: number) => String(hour).padStart(2, '0');

/** Started handoffs by weekday and hour, as a table whose cells are shaded by their number. */
export function HeatMap({ hours }: { hours: Report['startedByHour'] }) {
  const most = Math.max(0, ...hours.flat());
  return (
    <Section title={t('busiestHours')} about={t('busiestHoursAbout')}>
      <Table.ScrollContainer
        minWidth={640}
        type="native"
        tabIndex={0}
        aria-label={t('busiestHoursAbout')}
        role="region"
      >
        <table className={classes.heat} aria-label={t('busiestHours')}>
          <thead>
            <tr>
              <th scope="col">
                <span className={classes.hidden}>{t('weekday')}</span>
              </th>
              {hours[0]!.map((_, hour) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: an hour is its place
                <th key={hour} scope="col">
                  <span className={hour % LABELED === 0 ? classes.hour : classes.hidden}>{hourName(hour)}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {hours.map((counts, weekday) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a weekday is its place
              <tr key={weekday}>
                <th scope="row">
                  <span aria-hidden>{formatWeekday(weekday)}</span>
                  <span className={classes.hidden}>{formatWeekday(weekday, true)}</span>
                </th>
                {counts.map((count, hour) => (
                  <td
                    // biome-ignore lint/suspicious/noArrayIndexKey: an hour is its place
                    key={hour}
                    data-count={count}
                    title={t('startedAt', {
                      count,
                      weekday: formatWeekday(weekday, true),
                      hour: hourName(hour),
                    })}
                    style={{ '--share': most === 0 ? 0 : count / most } as React.CSSProperties}
                  >
                    {count === 0 ? <span className={classes.hidden}>0</span> : formatCount(count)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Table.ScrollContainer>
      <Text size="xs" c="dimmed">
        {t('zone', { zone: timeZone() })}
      </Text>
    </Section>
  );
}

export const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

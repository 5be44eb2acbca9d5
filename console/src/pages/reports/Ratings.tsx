import { Progress, Text } from '@mantine/core';
import type { Report } from '../../api/contract.ts';
import { reports } from '../../messages/en/reports.ts';
import { translator } from '../../messages/translate.ts';
import { Section } from '../../parts/Section.tsx';
import { formatAverage, formatCount, formatShare } from './formats.ts';
import classes from './Reports.module.css';

const t = translator('reports', reports);

export function Ratings({ totals: { csat, ended } }: { totals: Report['totals'] }) {
  const { responses, ratings, average } = csat;
  return (
    <Section title={t('ratings')} about={t('ratingsAbout')}>
      {responses === 0 ? (
        <Text size="sm" c="dimmed">
          {t('noRatings')}
        </Text>
      ) : (
        <>
          <Text size="sm" className="number">
            {t('ratingSummary', {
              average: formatAverage(average),
              count: responses,
              share: formatShare(ended === 0 ? undefined : Math.min(1, responses / ended)),
            })}
          </Text>
          <ul className={classes.ratings}>
            {[5, 4, 3, 2, 1].map(value => (
              <li key={value} className={classes.rating}>
                <Text size="sm" className="number">
                  {value}
                </Text>
                <Progress
                  value={(100 * ratings[value - 1]!) / responses}
                  color={value >= 4 ? 'brand' : 'gray.6'}
                  aria-label={t('ratingShare', { value })}
                />
                <Text size="sm" ta="end" className="number">
                  {formatCount(ratings[value - 1]!)}
                </Text>
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}

import { BarChart, LineChart } from '@mantine/charts';
import '@mantine/charts/styles.layer.css';
import '@mantine/core/styles/ColorSwatch.layer.css';
import { SimpleGrid, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useAdminClient } from '../api/clients.ts';
import { IconChartBar } from '../icons/tabler.ts';
import { activity } from '../messages/en/activity.ts';
import { locale } from '../messages/language.ts';
import { translator } from '../messages/translate.ts';
import { useAddressChoice } from '../navigation/useAddress.ts';
import { useBotId } from '../navigation/useRoute.ts';
import { FilterSelect } from '../parts/Fields.tsx';
import { Page } from '../parts/Page.tsx';
import { Figure, Section } from '../parts/Section.tsx';
import { Rows } from '../parts/Small.tsx';
import { Empty, Loaded } from '../parts/States.tsx';
import { formatUtcDay } from '../parts/time.ts';

const t = translator('activity', activity);

const DAY_MS = 24 * 3_600_000;
const SPANS = ['30', '7', '90'] as const;
const spans = () =>
  [...SPANS]
    .sort((a, b) => Number(a) - Number(b))
    .map(value => ({ value, label: t('lastDays', { count: Number(value) }) }));

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

const COUNTED = ['sessions', 'messages', 'newUsers', 'events'] as const;
const CHARTED = [...COUNTED, 'returningUsers'] as const;

export function Analytics() {
  const botId = useBotId();
  const client = useAdminClient();
  const [days, setDays] = useAddressChoice('days', SPANS);
  const query = useQuery({
    queryKey: ['analytics', botId, days],
    queryFn: async () => {
      const now = Date.now();
      // Days are in UTC. The last one is today.
      const range = { startDate: dayOf(now - (Number(days) - 1) * DAY_MS), endDate: dayOf(now) };
      return (await client.getBotAnalytics({ id: botId, ...range })).records;
    },
  });
  return (
    <Page
      title={t('analytics')}
      about={t('analyticsAbout')}
      actions={<FilterSelect label={t('timeRange')} options={spans()} value={days} onChange={setDays} />}
    >
      <Loaded query={query}>
        {records =>
          records.every(each => CHARTED.every(field => each[field] === 0)) && sumsOf(records).length === 0 ? (
            <Empty Icon={IconChartBar} title={t('noData')}>
              {t('noDataAbout')}
            </Empty>
          ) : (
            <>
              <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
                {COUNTED.map(field => (
                  <Figure
                    key={field}
                    name={t(field)}
                    value={records.reduce((sum, each) => sum + each[field], 0).toLocaleString(locale)}
                  />
                ))}
              </SimpleGrid>
              <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="sm">
                <Chart title={t('messages')}>
                  <LineChart
                    h={260}
                    data={records.map(each => ({
                      day: formatUtcDay(each.startDateTimeUtc),
                      [t('users')]: each.userMessages,
                      [t('bot')]: each.botMessages,
                    }))}
                    dataKey="day"
                    withLegend
                    curveType="monotone"
                    withDots={records.length < 2}
                    series={[
                      { name: t('users'), color: 'brand.6' },
                      { name: t('bot'), color: 'orange.6' },
                    ]}
                  />
                </Chart>
                <Chart title={t('users')}>
                  <BarChart
                    h={260}
                    type="stacked"
                    maxBarWidth={40}
                    data={records.map(each => ({
                      day: formatUtcDay(each.startDateTimeUtc),
                      [t('newOnes')]: each.newUsers,
                      [t('returning')]: each.returningUsers,
                    }))}
                    dataKey="day"
                    withLegend
                    series={[
                      { name: t('newOnes'), color: 'brand.6' },
                      { name: t('returning'), color: 'indigo.4' },
                    ]}
                  />
                </Chart>
              </SimpleGrid>
              <CustomEvents sums={sumsOf(records)} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

type Sum = readonly [name: string, sum: number];

/** Returns the counts that the bot names (`trackAnalytics`), largest first. */
function sumsOf(records: readonly { customEvents: Record<string, number> }[]): Sum[] {
  const sums = new Map<string, number>();
  for (const { customEvents } of records) {
    for (const [name, count] of Object.entries(customEvents)) sums.set(name, (sums.get(name) ?? 0) + count);
  }
  return [...sums].sort(([, a], [, b]) => b - a);
}

/** Number of rows shown. The API returns all counts. */
const MOST_COUNTS = 50;

const CustomEvents = ({ sums }: { sums: readonly Sum[] }) =>
  sums.length === 0 ? null : (
    <Section title={t('customCounts')} about={t('customCountsAbout')}>
      <Rows label={t('customCounts')} heads={[t('countName'), t('countSum')]} minWidth={280}>
        {sums.slice(0, MOST_COUNTS).map(([name, sum]) => (
          <Table.Tr key={name}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              <bdi>{name}</bdi>
            </Table.Td>
            <Table.Td className="number">{sum.toLocaleString(locale)}</Table.Td>
          </Table.Tr>
        ))}
      </Rows>
    </Section>
  );

const Chart = ({ title, children }: { title: string; children: ReactNode }) => (
  <Section title={title}>
    <figure aria-label={title} style={{ margin: 0 }}>
      {children}
    </figure>
  </Section>
);

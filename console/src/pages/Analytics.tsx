import { BarChart, LineChart } from '@mantine/charts';
import '@mantine/charts/styles.layer.css';
import { SimpleGrid } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useAdminClient } from '../api/clients.ts';
import { FilterSelect } from '../parts/Fields.tsx';
import { Page } from '../parts/Page.tsx';
import { Figure, Section } from '../parts/Section.tsx';
import { Empty, Loaded } from '../parts/States.tsx';
import { formatUtcDay } from '../parts/time.ts';
import { useBotId } from '../shell/useRoute.ts';

const DAY_MS = 24 * 3_600_000;
const SPANS = [
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
];

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

const COUNTED = [
  ['sessions', 'Sessions'],
  ['messages', 'Messages'],
  ['newUsers', 'New users'],
  ['events', 'Events'],
] as const;

export function Analytics() {
  const botId = useBotId();
  const client = useAdminClient();
  const [days, setDays] = useState('30');
  const query = useQuery({
    queryKey: ['analytics', botId, days],
    queryFn: async () => {
      const now = Date.now();
      const range = { startDate: dayOf(now - Number(days) * DAY_MS), endDate: dayOf(now + DAY_MS) };
      return (await client.getBotAnalytics({ id: botId, ...range })).records;
    },
  });
  return (
    <Page
      title="Analytics"
      about="Messages and users by day (UTC)."
      actions={<FilterSelect label="Time range" options={SPANS} value={days} onChange={setDays} />}
    >
      <Loaded query={query}>
        {records =>
          records.length === 0 ? (
            <Empty Icon={IconChartBar} title="No data yet">
              The bot has no activity in this time range.
            </Empty>
          ) : (
            <>
              <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
                {COUNTED.map(([field, name]) => (
                  <Figure
                    key={field}
                    name={name}
                    value={records.reduce((sum, each) => sum + each[field], 0).toLocaleString()}
                  />
                ))}
              </SimpleGrid>
              <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="sm">
                <Chart title="Messages">
                  <LineChart
                    h={260}
                    data={records.map(each => ({
                      day: formatUtcDay(each.startDateTimeUtc),
                      Users: each.userMessages,
                      Bot: each.botMessages,
                    }))}
                    dataKey="day"
                    withLegend
                    curveType="monotone"
                    withDots={records.length < 2}
                    series={[
                      { name: 'Users', color: 'brand.6' },
                      { name: 'Bot', color: 'orange.6' },
                    ]}
                  />
                </Chart>
                <Chart title="Users">
                  <BarChart
                    h={260}
                    type="stacked"
                    maxBarWidth={40}
                    data={records.map(each => ({
                      day: formatUtcDay(each.startDateTimeUtc),
                      New: each.newUsers,
                      Returning: each.returningUsers,
                    }))}
                    dataKey="day"
                    withLegend
                    series={[
                      { name: 'New', color: 'brand.6' },
                      { name: 'Returning', color: 'indigo.4' },
                    ]}
                  />
                </Chart>
              </SimpleGrid>
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

const Chart = ({ title, children }: { title: string; children: ReactNode }) => (
  <Section title={title}>
    <figure aria-label={title} style={{ margin: 0 }}>
      {children}
    </figure>
  </Section>
);

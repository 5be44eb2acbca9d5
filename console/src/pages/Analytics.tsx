import { BarChart, LineChart } from '@mantine/charts';
import { NativeSelect, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAdminClient } from '../api/clients.ts';
import { Page } from '../parts/Page.tsx';
import { Empty, Loaded } from '../parts/States.tsx';
import { useBotId } from '../shell/useRoute.ts';

const DAY_MS = 24 * 3_600_000;
const SPANS = [
  { value: '7', label: 'The last week' },
  { value: '30', label: 'The last month' },
  { value: '90', label: 'The last three months' },
];

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

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
    <Page title="Analytics" about="How much people talk to the bot, day by day (UTC).">
      <NativeSelect
        label="When"
        maw={240}
        data={SPANS}
        value={days}
        onChange={event => setDays(event.currentTarget.value)}
      />
      <Loaded query={query}>
        {records =>
          records.length === 0 ? (
            <Empty>Nothing has happened in this time.</Empty>
          ) : (
            <SimpleGrid cols={{ base: 1, lg: 2 }}>
              <Chart title="Messages">
                <LineChart
                  h={260}
                  data={records.map(each => ({
                    day: each.startDateTimeUtc.slice(0, 10),
                    'of users': each.userMessages,
                    'of the bot': each.botMessages,
                  }))}
                  dataKey="day"
                  withLegend
                  series={[
                    { name: 'of users', color: 'cyan.7' },
                    { name: 'of the bot', color: 'orange.7' },
                  ]}
                />
              </Chart>
              <Chart title="Users">
                <BarChart
                  h={260}
                  type="stacked"
                  data={records.map(each => ({
                    day: each.startDateTimeUtc.slice(0, 10),
                    'for the first time': each.newUsers,
                    again: each.returningUsers,
                  }))}
                  dataKey="day"
                  withLegend
                  series={[
                    { name: 'for the first time', color: 'cyan.7' },
                    { name: 'again', color: 'grape.7' },
                  ]}
                />
              </Chart>
              <Numbers records={records} />
            </SimpleGrid>
          )
        }
      </Loaded>
    </Page>
  );
}

const Chart = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <Paper withBorder p="md">
    <Stack>
      <Title order={2} size="h4">
        {title}
      </Title>
      <figure aria-label={title} style={{ margin: 0 }}>
        {children}
      </figure>
    </Stack>
  </Paper>
);

const COUNTED = [
  ['sessions', 'Conversations begun or taken up'],
  ['messages', 'Messages'],
  ['newUsers', 'New users'],
  ['events', 'Events'],
] as const;

function Numbers({ records }: { records: Record<(typeof COUNTED)[number][0], number>[] }) {
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h4">
        In all
      </Title>
      {COUNTED.map(([field, label]) => (
        <Text key={field} size="sm">
          {label}: {records.reduce((sum, each) => sum + each[field], 0).toLocaleString()}
        </Text>
      ))}
    </Paper>
  );
}

import { BarChart } from '@mantine/charts';
import { NativeSelect, Paper, Progress, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAdminClient, useWorkspaceId } from '../api/clients.ts';
import { Page } from '../parts/Page.tsx';
import { Rows } from '../parts/Small.tsx';
import { Empty, Loaded } from '../parts/States.tsx';
import { USAGE_TYPES, type UsageType } from './usageTypes.ts';

/** What the API answers where there is no quota. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;

export function Usage() {
  const client = useAdminClient();
  const workspaceId = useWorkspaceId();
  const [type, setType] = useState<UsageType>('invocation_calls');
  const now = useQuery({
    queryKey: ['usage', workspaceId],
    queryFn: async () =>
      (await client.getMultipleUsages({ ids: [workspaceId], types: USAGE_TYPES.map(({ value }) => value) })).usages,
  });
  const history = useQuery({
    queryKey: ['usage history', workspaceId, type],
    queryFn: async () => (await client.listUsageHistory({ id: workspaceId, type })).usages,
  });
  const byBot = useQuery({
    queryKey: ['usage by bot', workspaceId, type],
    queryFn: async () => (await client.breakDownWorkspaceUsageByBot({ id: workspaceId, type })).data,
  });
  const label = USAGE_TYPES.find(({ value }) => value === type)!.label;
  return (
    <Page title="Usage" about="What this workspace uses, and how much of it is left.">
      <Loaded query={now}>
        {usages => (
          <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
            {usages.map(usage => (
              <Tile key={usage.type} {...usage} />
            ))}
          </SimpleGrid>
        )}
      </Loaded>
      <NativeSelect
        label="In detail"
        maw={320}
        data={[...USAGE_TYPES]}
        value={type}
        onChange={event => setType(event.currentTarget.value as UsageType)}
      />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Paper withBorder p="md">
          <Stack>
            <Title order={2} size="h4">
              Month by month
            </Title>
            <Loaded query={history}>
              {months =>
                months.length === 0 ? (
                  <Empty>Nothing has been used yet.</Empty>
                ) : (
                  <figure aria-label={`${label}, month by month`} style={{ margin: 0 }}>
                    <BarChart
                      h={240}
                      data={[...months]
                        .sort((a, b) => a.period.localeCompare(b.period))
                        .map(({ period, value }) => ({ period, [label]: value }))}
                      dataKey="period"
                      series={[{ name: label, color: 'cyan.7' }]}
                    />
                  </figure>
                )
              }
            </Loaded>
          </Stack>
        </Paper>
        <Paper withBorder p="md">
          <Stack>
            <Title order={2} size="h4">
              By bot
            </Title>
            <Loaded query={byBot}>
              {bots =>
                bots.length === 0 ? (
                  <Empty>No bot has used any this month.</Empty>
                ) : (
                  <Rows label="Usage by bot" heads={['Bot', 'Used']}>
                    {bots.map(({ botId, value }) => (
                      <Table.Tr key={botId}>
                        <Table.Td>{botId}</Table.Td>
                        <Table.Td>{value.toLocaleString()}</Table.Td>
                      </Table.Tr>
                    ))}
                  </Rows>
                )
              }
            </Loaded>
          </Stack>
        </Paper>
      </SimpleGrid>
    </Page>
  );
}

function Tile({ type, value, quota }: { type: string; value: number; quota: number }) {
  const label = USAGE_TYPES.find(each => each.value === type)?.label ?? type;
  const hasQuota = quota < UNLIMITED;
  return (
    <Paper withBorder p="md">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fw={600} size="xl">
        {value.toLocaleString()}
      </Text>
      <Text size="sm">{hasQuota ? `of ${quota.toLocaleString()}` : 'without a limit'}</Text>
      {hasQuota && (
        <Progress
          mt="xs"
          value={quota === 0 ? 100 : (value / quota) * 100}
          aria-label={`${label}: share of the quota`}
        />
      )}
    </Paper>
  );
}

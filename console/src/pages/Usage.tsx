import { BarChart } from '@mantine/charts';
import '@mantine/charts/styles.layer.css';
import { Group, Progress, SimpleGrid, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAdminClient, useWorkspaceId } from '../api/clients.ts';
import { FilterSelect } from '../parts/Fields.tsx';
import { Page } from '../parts/Page.tsx';
import { Figure, Section } from '../parts/Section.tsx';
import { formatBytes, Row, RowLink, Rows } from '../parts/Small.tsx';
import { Empty, Loaded } from '../parts/States.tsx';
import { useRecentBots } from '../shell/useBot.ts';
import { USAGE_TYPES, type UsageType } from './usageTypes.ts';

/** Value that the API returns for an unlimited quota. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;
/** Share of a quota at which its bar becomes a warning. */
const HIGH = 0.8;

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
  const { data: bots = [] } = useRecentBots();
  const names = new Map(bots.map(({ id, name }) => [id, name]));
  const label = USAGE_TYPES.find(({ value }) => value === type)!.label;
  return (
    <Page title="Usage" about="Usage of this workspace in the current month, and its quotas.">
      <Loaded query={now}>
        {usages => (
          <SimpleGrid cols={{ base: 2, md: 3, lg: 4 }} spacing="sm">
            {usages.map(usage => (
              <Quota key={usage.type} {...usage} />
            ))}
          </SimpleGrid>
        )}
      </Loaded>
      <Group justify="space-between">
        <Title order={2} size="h3">
          Breakdown
        </Title>
        <FilterSelect
          label="Measure"
          options={USAGE_TYPES}
          value={type}
          onChange={value => setType(value as UsageType)}
        />
      </Group>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="sm">
        <Section title="By month">
          <Loaded query={history}>
            {months =>
              months.length === 0 ? (
                <Empty>No usage yet.</Empty>
              ) : (
                <figure aria-label={`${label} by month`} style={{ margin: 0 }}>
                  <BarChart
                    h={240}
                    maxBarWidth={48}
                    data={[...months]
                      .sort((a, b) => a.period.localeCompare(b.period))
                      .map(({ period, value }) => ({ period: period.slice(0, 7), [label]: value }))}
                    dataKey="period"
                    series={[{ name: label, color: 'brand.6' }]}
                  />
                </figure>
              )
            }
          </Loaded>
        </Section>
        <Section title="By bot">
          <Loaded query={byBot}>
            {rows =>
              rows.length === 0 ? (
                <Empty>No bot has usage this month.</Empty>
              ) : (
                <Rows label="Usage by bot" heads={['Bot', 'Usage']}>
                  {rows.map(({ botId, value }) => (
                    <Row key={botId}>
                      <Table.Td>
                        <RowLink to={`/bots/${botId}`}>{names.get(botId) || botId}</RowLink>
                      </Table.Td>
                      <Table.Td className="number">{value.toLocaleString()}</Table.Td>
                    </Row>
                  ))}
                </Rows>
              )
            }
          </Loaded>
        </Section>
      </SimpleGrid>
    </Page>
  );
}

function Quota({ type, value, quota }: { type: string; value: number; quota: number }) {
  const known = USAGE_TYPES.find(each => each.value === type);
  const label = known?.label ?? type;
  const inWords = (amount: number) => (known && 'isBytes' in known ? formatBytes(amount) : amount.toLocaleString());
  const hasQuota = quota < UNLIMITED;
  const share = quota === 0 ? 1 : value / quota;
  return (
    <Figure name={label} value={inWords(value)}>
      <Text size="xs" c="dimmed" className="number">
        {hasQuota ? `of ${inWords(quota)}` : 'no limit'}
      </Text>
      {hasQuota && (
        <Progress
          mt="xs"
          size="sm"
          value={share * 100}
          color={share >= 1 ? 'red' : share >= HIGH ? 'yellow' : 'brand'}
          aria-label={`${label}: share of the quota`}
        />
      )}
    </Figure>
  );
}

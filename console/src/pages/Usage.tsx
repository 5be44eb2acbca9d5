import '@mantine/charts/styles.layer.css';
import { BarChart } from '@mantine/charts';
import { Group, Progress, SimpleGrid, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useAdminClient, useWorkspaceId } from '../api/clients.ts';
import { useBotNames } from '../api/useBot.ts';
import { workspace } from '../messages/en/workspace.ts';
import { locale } from '../messages/language.ts';
import { translator } from '../messages/translate.ts';
import { useAddressChoice } from '../navigation/useAddress.ts';
import { FilterSelect } from '../parts/Fields.tsx';
import { Page } from '../parts/Page.tsx';
import { Figure, Section } from '../parts/Section.tsx';
import { formatBytes, Row, RowLink, Rows } from '../parts/Small.tsx';
import { Empty, Loaded } from '../parts/States.tsx';

const t = translator('workspace', workspace);

/** Usage types that the platform measures. */
const USAGE_TYPES = [
  'invocation_calls',
  'storage_count',
  'bot_count',
  'table_row_count',
  'indexed_file_count',
  'knowledgebase_vector_storage',
  'workspace_member_count',
  'integrations_owned_count',
  'ai_spend',
] as const;
type UsageType = (typeof USAGE_TYPES)[number];

const isKnown = (type: string): type is UsageType => USAGE_TYPES.some(each => each === type);

const IN_BYTES = new Set(['storage_count', 'knowledgebase_vector_storage']);
const inBytes = (type: string): boolean => IN_BYTES.has(type);

/** Value that the API returns for an unlimited quota. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;
/** Share of a quota at which its bar becomes a warning. */
const HIGH = 0.8;

export function Usage() {
  const client = useAdminClient();
  const workspaceId = useWorkspaceId();
  const [type, setType] = useAddressChoice('measure', USAGE_TYPES);
  const now = useQuery({
    queryKey: ['usage', workspaceId],
    queryFn: async () => (await client.getMultipleUsages({ ids: [workspaceId], types: [...USAGE_TYPES] })).usages,
  });
  const history = useQuery({
    queryKey: ['usage history', workspaceId, type],
    queryFn: async () => (await client.listUsageHistory({ id: workspaceId, type })).usages,
  });
  const byBot = useQuery({
    queryKey: ['usage by bot', workspaceId, type],
    queryFn: async () => (await client.breakDownWorkspaceUsageByBot({ id: workspaceId, type })).data,
  });
  const names = useBotNames();
  const label = t(`usage_${type}`);
  return (
    <Page title={t('usage')} about={t('usageAbout')}>
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
          {t('breakdown')}
        </Title>
        <FilterSelect
          label={t('measure')}
          options={USAGE_TYPES.map(value => ({ value, label: t(`usage_${value}`) }))}
          value={type}
          onChange={setType}
        />
      </Group>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="sm">
        <Section title={t('byMonth')}>
          <Loaded query={history}>
            {months =>
              months.length === 0 ? (
                <Empty>{t('noUsage')}</Empty>
              ) : (
                <figure aria-label={t('monthly', { measure: label })} style={{ margin: 0 }}>
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
        <Section title={t('byBot')}>
          <Loaded query={byBot}>
            {rows =>
              rows.length === 0 ? (
                <Empty>{t('noBotUsage')}</Empty>
              ) : (
                <Rows minWidth={280} label={t('usageByBot')} heads={[t('bot'), t('usage')]}>
                  {rows.map(({ botId, value }) => (
                    <Row key={botId}>
                      <Table.Td>
                        <RowLink to={`/bots/${botId}`}>{names.get(botId) ?? botId}</RowLink>
                      </Table.Td>
                      <Table.Td className="number">{value.toLocaleString(locale)}</Table.Td>
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
  const label = isKnown(type) ? t(`usage_${type}`) : type;
  const inWords = (amount: number) => (inBytes(type) ? formatBytes(amount) : amount.toLocaleString(locale));
  const hasQuota = quota < UNLIMITED;
  const share = quota === 0 ? 1 : value / quota;
  return (
    <Figure name={label} value={inWords(value)}>
      <Text size="xs" c="dimmed" className="number">
        {hasQuota ? t('ofQuota', { quota: inWords(quota) }) : t('noLimit')}
      </Text>
      {hasQuota && (
        <Progress
          mt="xs"
          size="sm"
          value={share * 100}
          color={share >= 1 ? 'red' : share >= HIGH ? 'yellow' : 'brand'}
          aria-label={t('quotaShare', { measure: label })}
        />
      )}
    </Figure>
  );
}

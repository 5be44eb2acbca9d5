/** Reports of the inbox: conversations, handoffs, response times and ratings of a week, a month or the last days. */
import { ActionIcon, Button, Group, Menu, SimpleGrid, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useParley, useWorkspaceId } from '../../api/clients.ts';
import type { Report } from '../../api/contract.ts';
import { useRecentBots } from '../../api/useBot.ts';
import { IconChartBar, IconChevronLeft, IconChevronRight, IconDownload } from '../../icons/tabler.ts';
import { reports } from '../../messages/en/reports.ts';
import { translator } from '../../messages/translate.ts';
import { textOf } from '../../navigation/addressQuery.ts';
import { useAddress, useAddressChoice } from '../../navigation/useAddress.ts';
import { saveCsv } from '../../parts/csv.ts';
import { FilterSelect } from '../../parts/Fields.tsx';
import { Page, Toolbar } from '../../parts/Page.tsx';
import { Section } from '../../parts/Section.tsx';
import { Empty, Loaded } from '../../parts/States.tsx';
import { Charts } from './Charts.tsx';
import { type Column, FigureTable } from './FigureTable.tsx';
import { formatCount, formatMonth, formatSeconds, formatShare, formatSpan } from './formats.ts';
import { HeatMap, timeZone } from './HeatMap.tsx';
import { KeyFigures } from './KeyFigures.tsx';
import { Ratings } from './Ratings.tsx';
import { Reasons } from './Reasons.tsx';
import { csvRows } from './reportCsv.ts';
import { isDate, neighbour, SPANS, type Span, type SpanKind, spanOf, today } from './spans.ts';

const t = translator('reports', reports);

const ALL = '';

export function Reports() {
  const parley = useParley();
  const workspaceId = useWorkspaceId();
  const { query: address } = useAddress();
  const [kind] = useAddressChoice('span', SPANS);
  const botId = textOf(address, 'bot');
  const at = textOf(address, 'at');
  const span = spanOf(kind, isDate(at) ? at : today());
  const { data: bots = [] } = useRecentBots();
  const nameOf = (id: string) => bots.find(bot => bot.id === id)?.name || id;
  const query = useQuery({
    queryKey: ['report', workspaceId, botId, span.from, span.to],
    queryFn: () => parley.getInboxReport({ botIds: botId === ALL ? [] : [botId], ...span, timeZone: timeZone() }),
    placeholderData: keepPreviousData,
  });
  const report = query.data?.report;
  return (
    <Page title={t('title')} about={t('about')} actions={report && <Download report={report} nameOf={nameOf} />}>
      <Choice kind={kind} span={span} botId={botId} bots={bots} />
      <Loaded query={query}>
        {({ report: loaded, isPartial }) => (
          <>
            {isPartial && botId === ALL && (
              <Text size="sm" c="dimmed">
                {t('partial')}
              </Text>
            )}
            <Content report={loaded} nameOf={nameOf} hasBots={botId === ALL && bots.length > 1} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface ChoiceProps {
  kind: SpanKind;
  span: Span;
  botId: string;
  bots: readonly { id: string; name: string }[];
}

function Choice({ kind, span, botId, bots }: ChoiceProps) {
  const { change } = useAddress();
  const show = (date: string) => change({ at: date === today() ? '' : date });
  const name = kind === 'month' ? formatMonth(span.from) : formatSpan(span.from, span.to);
  return (
    <Toolbar>
      <FilterSelect
        label={t('bot')}
        options={[
          { value: ALL, label: t('allBots') },
          ...bots.map(({ id, name: shown }) => ({ value: id, label: shown || id })),
        ]}
        value={botId}
        onChange={value => change({ bot: value })}
      />
      <FilterSelect
        label={t('span')}
        options={SPANS.map(value => ({
          value,
          label: value === 'week' || value === 'month' ? t(value) : t('lastDays', { count: Number(value) }),
        }))}
        value={kind}
        onChange={value => change({ span: value === SPANS[0] ? '' : value, at: '' })}
      />
      <Group gap={4} wrap="nowrap">
        <ActionIcon
          variant="default"
          size={36}
          aria-label={t('previous')}
          onClick={() => show(neighbour(kind, span, 'previous'))}
        >
          <IconChevronLeft size={16} aria-hidden />
        </ActionIcon>
        <Text size="sm" fw={500} px={6} className="number" aria-live="polite">
          {name}
        </Text>
        <ActionIcon
          variant="default"
          size={36}
          aria-label={t('next')}
          disabled={span.to >= today()}
          onClick={() => show(neighbour(kind, span, 'next'))}
        >
          <IconChevronRight size={16} aria-hidden />
        </ActionIcon>
      </Group>
    </Toolbar>
  );
}

interface ContentProps {
  report: Report;
  nameOf: (botId: string) => string;
  hasBots: boolean;
}

function Content({ report, nameOf, hasBots }: ContentProps) {
  const { totals, preceding, days, members } = report;
  const counted = ['conversations', 'started', 'assigned', 'ended'] as const;
  if (counted.every(name => totals[name] === 0) && totals.csat.responses === 0 && members.length === 0) {
    return (
      <Empty Icon={IconChartBar} title={t('none')}>
        {t('noneAbout')}
      </Empty>
    );
  }
  return (
    <>
      <Text size="sm" c="dimmed">
        {t(report.to > today() ? 'comparedSoFar' : 'compared', { span: formatSpan(preceding.from, preceding.to) })}
      </Text>
      <KeyFigures report={report} />
      <Charts days={days.filter(({ date }) => date <= today())} />
      <HeatMap hours={report.startedByHour} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="sm">
        <Reasons reasons={report.reasons} />
        <Ratings totals={totals} />
      </SimpleGrid>
      {hasBots && (
        <Section title={t('byBot')}>
          <FigureTable
            label={t('figuresByBot')}
            head={t('bot')}
            rows={report.bots}
            columns={BOT_COLUMNS}
            keyOf={({ botId }) => botId}
            nameOf={({ botId }) => nameOf(botId)}
          >
            {({ botId }) => <bdi>{nameOf(botId)}</bdi>}
          </FigureTable>
        </Section>
      )}
      {members.length > 0 && (
        <Section title={t('byAgent')} about={report.hasMoreMembers ? t('moreAgents') : undefined}>
          <FigureTable
            label={t('figuresByAgent')}
            head={t('agent')}
            rows={members}
            columns={AGENT_COLUMNS}
            keyOf={({ id }) => id}
            nameOf={({ name }) => name}
          >
            {({ name }) => <bdi>{name}</bdi>}
          </FigureTable>
        </Section>
      )}
    </>
  );
}

const count = (value: number | undefined) => formatCount(value ?? 0);
const HANDOFF_COLUMNS: readonly Column[] = [
  { head: t('assigned'), read: each => each.assigned, format: count },
  { head: t('ended'), read: each => each.ended, format: count },
  { head: t('waiting'), read: each => each.waiting.medianSeconds, format: formatSeconds },
  { head: t('firstResponse'), read: each => each.firstResponse.medianSeconds, format: formatSeconds },
  { head: t('resolution'), read: each => each.resolution.medianSeconds, format: formatSeconds },
  { head: t('csat'), read: each => each.csat.satisfied, format: formatShare },
  { head: t('ratingCount'), read: each => each.csat.responses, format: count },
];
const AGENT_COLUMNS = HANDOFF_COLUMNS;
const BOT_COLUMNS: readonly Column[] = [
  { head: t('conversations'), read: each => each.conversations, format: count },
  { head: t('containment'), read: each => each.containment, format: formatShare },
  { head: t('started'), read: each => each.started, format: count },
  ...HANDOFF_COLUMNS.slice(1),
];

function Download({ report, nameOf }: Pick<ContentProps, 'report' | 'nameOf'>) {
  const { from, to, days, bots, members } = report;
  const save = (part: string, rows: string[][]) => saveCsv(`report-${part}-${from}-${to}.csv`, rows);
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={14} aria-hidden />}>
          {t('download')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          onClick={() =>
            save(
              'days',
              csvRows(['date'], days, ({ date }) => [date]),
            )
          }
        >
          {t('csvDays')}
        </Menu.Item>
        <Menu.Item
          onClick={() =>
            save(
              'bots',
              csvRows(['botId', 'name'], bots, ({ botId }) => [botId, nameOf(botId)]),
            )
          }
        >
          {t('csvBots')}
        </Menu.Item>
        <Menu.Item
          onClick={() =>
            save(
              'agents',
              csvRows(['accountId', 'name'], members, ({ id, name }) => [id, name]),
            )
          }
        >
          {t('csvAgents')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

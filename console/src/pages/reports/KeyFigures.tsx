import { SimpleGrid, Text } from '@mantine/core';
import type { Report } from '../../api/contract.ts';
import { reports } from '../../messages/en/reports.ts';
import { translator } from '../../messages/translate.ts';
import { Figure } from '../../parts/Section.tsx';
import { Change } from './Change.tsx';
import { type Figures, formatCount, formatSeconds, formatShare } from './formats.ts';

const t = translator('reports', reports);

const DURATIONS = ['waiting', 'firstResponse', 'resolution'] as const;

/** The totals of a report with their change since the span before. */
export function KeyFigures({ report: { totals, preceding } }: { report: Report }) {
  const before = preceding.totals;
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
      <Count name="conversations" now={totals} before={before} />
      <Figure name={t('containment')} value={formatShare(totals.containment)}>
        <Change
          now={totals.containment}
          before={before.containment}
          shown={formatShare(before.containment)}
          better="more"
          isShare
        />
        <Detail>{t('handedOver', { count: totals.handedOver })}</Detail>
      </Figure>
      <Count name="started" now={totals} before={before} />
      <Count name="ended" now={totals} before={before} />
      {DURATIONS.map(name => (
        <Figure key={name} name={t(name)} value={formatSeconds(totals[name].medianSeconds)}>
          <Change
            now={totals[name].medianSeconds}
            before={before[name].medianSeconds}
            shown={formatSeconds(before[name].medianSeconds)}
            better="less"
          />
          <Detail>{t('p90', { value: formatSeconds(totals[name].p90Seconds) })}</Detail>
        </Figure>
      ))}
      <Figure name={t('csat')} value={formatShare(totals.csat.satisfied)}>
        <Change
          now={totals.csat.satisfied}
          before={before.csat.satisfied}
          shown={formatShare(before.csat.satisfied)}
          better="more"
          isShare
        />
        <Detail>{t('responses', { count: totals.csat.responses })}</Detail>
      </Figure>
    </SimpleGrid>
  );
}

interface CountProps {
  name: 'conversations' | 'started' | 'ended';
  now: Figures;
  before: Figures;
}

function Count({ name, now, before }: CountProps) {
  return (
    <Figure name={t(name)} value={formatCount(now[name])}>
      <Change now={now[name]} before={before[name]} shown={formatCount(before[name])} />
      {name === 'started' && <Detail>{t('assignedCount', { count: now.assigned })}</Detail>}
      {name === 'ended' && <Detail>{t('resolvedCount', { count: now.resolved })}</Detail>}
    </Figure>
  );
}

const Detail = ({ children }: { children: string }) => (
  <Text size="xs" c="dimmed" className="number">
    {children}
  </Text>
);

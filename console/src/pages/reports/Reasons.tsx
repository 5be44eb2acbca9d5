import { Table, Text } from '@mantine/core';
import type { Report } from '../../api/contract.ts';
import { reports } from '../../messages/en/reports.ts';
import { translator } from '../../messages/translate.ts';
import { Section } from '../../parts/Section.tsx';
import { Rows } from '../../parts/Small.tsx';
import { formatCount } from './formats.ts';

const t = translator('reports', reports);

export function Reasons({ reasons: { reasons, withoutReason, isPartial } }: Pick<Report, 'reasons'>) {
  return (
    <Section title={t('reasons')} about={t(isPartial ? 'reasonsPartial' : 'reasonsAbout')}>
      {reasons.length > 0 && (
        <Rows label={t('reasonsAbout')} heads={[t('reason'), t('started')]} minWidth={280}>
          {reasons.map(({ text, count }) => (
            <Table.Tr key={text}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <bdi>{text}</bdi>
              </Table.Td>
              <Table.Td className="number">{formatCount(count)}</Table.Td>
            </Table.Tr>
          ))}
        </Rows>
      )}
      {(withoutReason > 0 || reasons.length === 0) && (
        <Text size="sm" c="dimmed">
          {t('withoutReason', { count: withoutReason })}
        </Text>
      )}
    </Section>
  );
}

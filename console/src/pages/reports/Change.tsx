import { Text } from '@mantine/core';
import { reports } from '../../messages/en/reports.ts';
import { translator } from '../../messages/translate.ts';
import { formatCount, formatShare } from './formats.ts';

const t = translator('reports', reports);

interface ChangeProps {
  now: number | undefined;
  before: number | undefined;
  /** The value before, as shown. */
  shown: string;
  /** Whether a higher value is better. Undefined for neither. */
  better?: 'more' | 'less';
  /** Shares change by percentage points. */
  isShare?: boolean;
}

/** The change since the span before, in words and not only in a color. */
export function Change({ now, before, shown, better, isShare = false }: ChangeProps) {
  if (now === undefined || before === undefined || (!isShare && before === 0)) {
    return <Note>{before === undefined || before === 0 ? t('noneBefore') : t('before', { value: shown })}</Note>;
  }
  const change = isShare ? Math.round((now - before) * 100) : (now - before) / before;
  const text = isShare ? t('points', { value: formatCount(Math.abs(change)) }) : formatShare(Math.abs(change));
  if (change === 0) return <Note>{t('unchanged', { value: shown })}</Note>;
  const isGood = better === undefined ? undefined : change > 0 === (better === 'more');
  return (
    <Note color={isGood === undefined ? undefined : isGood ? 'green' : 'red'}>
      {t(change > 0 ? 'more' : 'less', { change: text, value: shown })}
    </Note>
  );
}

const Note = ({ color, children }: { color?: 'green' | 'red' | undefined; children: string }) => (
  <Text size="xs" className="number" c={color ? `var(--mantine-color-${color}-light-color)` : 'dimmed'}>
    {children}
  </Text>
);

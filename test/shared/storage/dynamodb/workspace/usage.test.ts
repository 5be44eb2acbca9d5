import { describe, expect, it } from 'vitest';
import { monthsBetween } from '#shared/domain/admin/usageView.ts';
import { valueIn } from '#shared/storage/dynamodb/workspace/usage.ts';

const at = (text: string) => Date.parse(text);

describe('the months of a history', () => {
  it('lists the months from the first to the last, the latest first', () => {
    expect(monthsBetween(at('2025-11-30T23:59:59Z'), at('2026-01-31T12:00:00Z'))).toEqual([
      '2026-01',
      '2025-12',
      '2025-11',
    ]);
  });

  it('lists one month if the history began in that month', () => {
    expect(monthsBetween(at('2026-03-31T23:00:00Z'), at('2026-03-31T23:00:01Z'))).toEqual(['2026-03']);
  });
});

describe('the usage of a month', () => {
  const changes = [
    { month: '2026-01', botId: 'a', change: 3 },
    { month: '2026-01', botId: 'b', change: 2 },
    { month: '2026-03', botId: 'a', change: -1 },
  ];

  it('is the final value of a gauge', () => {
    const months = ['2025-12', '2026-01', '2026-02', '2026-03', '2026-04'];

    expect(months.map(month => valueIn('bot_count', month, changes))).toEqual([0, 5, 5, 4, 4]);
  });

  it('is the sum of a counter in the month', () => {
    const months = ['2025-12', '2026-01', '2026-02', '2026-03'];

    expect(months.map(month => valueIn('invocation_calls', month, changes))).toEqual([0, 5, 0, -1]);
  });
});

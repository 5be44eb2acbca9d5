import type { LoadOption } from '#infra/operator/cost/costLoad.ts';

export interface Size {
  name: string;
  given: Partial<Record<LoadOption, string>>;
  hasAlarms: boolean;
}

const LARGE = { messages: '10000000', listeners: '2000', bots: '200', files: '50000', rows: '20000000' };

export const SIZES: readonly Size[] = [
  { name: 'Idle', given: {}, hasAlarms: false },
  {
    name: 'Small team',
    given: { messages: '20000', listeners: '5', bots: '5', files: '200', rows: '10000' },
    hasAlarms: true,
  },
  {
    name: '100,000 messages',
    given: { messages: '100000', listeners: '5' },
    hasAlarms: true,
  },
  { name: 'Large', given: LARGE, hasAlarms: true },
  { name: 'Large, a tenth SSE', given: { ...LARGE, sse: '10' }, hasAlarms: true },
];

export function commandOf({ given, hasAlarms }: Size): string {
  const options = Object.entries(given).map(([name, value]) => `--${name} ${value}`);
  if (hasAlarms) options.push('--alarms');
  return ['npm run cost', ...(options.length > 0 ? ['--'] : []), ...options].join(' ');
}

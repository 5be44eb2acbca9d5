import type { LoadOption } from '#infra/operator/cost/costLoad.ts';

export interface Size {
  name: string;
  given: Partial<Record<LoadOption, string>>;
  hasAlarms: boolean;
  listening: 'functions' | 'managed';
}

const LARGE = { messages: '10000000', listeners: '2000', bots: '200', files: '50000', rows: '20000000' };

export const SIZES: readonly Size[] = [
  { name: 'Idle', given: {}, hasAlarms: false, listening: 'functions' },
  {
    name: 'Small team',
    given: { messages: '20000', listeners: '5', bots: '5', files: '200', rows: '10000' },
    hasAlarms: true,
    listening: 'functions',
  },
  {
    name: '100,000 messages',
    given: { messages: '100000', listeners: '5' },
    hasAlarms: true,
    listening: 'functions',
  },
  { name: 'Large', given: LARGE, hasAlarms: true, listening: 'functions' },
  { name: 'Large, managed', given: LARGE, hasAlarms: true, listening: 'managed' },
];

export function commandOf({ given, hasAlarms, listening }: Size): string {
  const options = Object.entries(given).map(([name, value]) => `--${name} ${value}`);
  if (hasAlarms) options.push('--alarms');
  if (listening === 'managed') options.push('--managed');
  return ['npm run cost', ...(options.length > 0 ? ['--'] : []), ...options].join(' ');
}

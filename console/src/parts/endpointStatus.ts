import type { Endpoint, ListedBot } from '../api/contract.ts';
import { bots } from '../messages/en/bots.ts';
import { translator } from '../messages/translate.ts';
import type { StatusKind } from './Small.tsx';
import { formatTime } from './time.ts';

const t = translator('bots', bots);

const KINDS = {
  healthy: 'good',
  unreachable: 'bad',
  failing: 'bad',
  deploying: 'busy',
  missing: 'idle',
} as const satisfies Record<Endpoint['status'], StatusKind>;

/** Returns the label and color of an endpoint's state. */
export function endpointStatus({ status, since }: NonNullable<ListedBot['endpoint']>): {
  kind: StatusKind;
  label: string;
} {
  const isDated = since !== undefined && (status === 'unreachable' || status === 'failing');
  const label = isDated ? t(`endpoint_${status}_since`, { time: formatTime(since, false) }) : t(`endpoint_${status}`);
  return { kind: KINDS[status], label };
}

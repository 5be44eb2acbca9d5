import type { Endpoint } from '../../api/contract.ts';
import type { Installation } from '../../api/useBot.ts';
import { integrations } from '../../messages/en/integrations.ts';
import { translator } from '../../messages/translate.ts';
import { endpointStatus } from '../../parts/endpointStatus.ts';
import type { StatusKind } from '../../parts/Small.tsx';

const t = translator('integrations', integrations);

const KINDS = {
  registered: 'good',
  registration_pending: 'busy',
  registration_failed: 'bad',
  unregistration_pending: 'busy',
  unregistered: 'idle',
  unregistration_failed: 'bad',
} as const;

/**
 * Returns the label and color of an installation's status. An endpoint that receives no deliveries takes precedence
 * over an earlier registration.
 */
export function installationStatus(
  { enabled, status }: Pick<Installation, 'enabled' | 'status'>,
  endpoint?: Endpoint | undefined,
): { kind: StatusKind; label: string } {
  if (!enabled && !status.endsWith('failed')) return { kind: 'idle', label: t('disabled') };
  const isDown = endpoint?.status === 'unreachable' || endpoint?.status === 'failing';
  return status === 'registered' && isDown ? endpointStatus(endpoint) : { kind: KINDS[status], label: t(status) };
}

export const endpointAt = (endpoints: readonly Endpoint[] | undefined, alias: string): Endpoint | undefined =>
  endpoints?.find(({ integrationAlias }) => integrationAlias === alias);

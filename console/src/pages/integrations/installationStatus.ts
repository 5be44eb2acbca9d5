import type { Endpoint } from '../../api/contract.ts';
import type { Installation } from '../../api/useBot.ts';
import { joinNames } from '../../messages/bidi.ts';
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
  installation: Installation,
  endpoint?: Endpoint | undefined,
): { kind: StatusKind; label: string } {
  const { enabled, status } = installation;
  if (missingConfigurationOf(installation)) return { kind: enabled ? 'bad' : 'idle', label: t('needsConfiguration') };
  if (!enabled && !status.endsWith('failed')) return { kind: 'idle', label: t('disabled') };
  const isDown = endpoint?.status === 'unreachable' || endpoint?.status === 'failing';
  return status === 'registered' && isDown ? endpointStatus(endpoint) : { kind: KINDS[status], label: t(status) };
}

/** Required fields that the configuration lacks, possibly none by name. Extends the contract. */
export const missingConfigurationOf = (installation: Installation): readonly string[] | undefined =>
  (installation as Installation & { missingConfiguration?: string[] }).missingConfiguration;

/** Returns the reason of the status, and the fix if the configuration is missing. */
export function statusReasonOf(installation: Installation): string | null {
  const missing = missingConfigurationOf(installation);
  if (!missing) return installation.statusReason;
  return missing.length === 0 ? t('incomplete') : t('missing', { fields: joinNames(missing) });
}

export const endpointAt = (endpoints: readonly Endpoint[] | undefined, alias: string): Endpoint | undefined =>
  endpoints?.find(({ integrationAlias }) => integrationAlias === alias);

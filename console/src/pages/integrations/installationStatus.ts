import type { Installation } from '../../api/useBot.ts';
import { integrations } from '../../messages/en/integrations.ts';
import { translator } from '../../messages/translate.ts';

const t = translator('integrations', integrations);

const KINDS = {
  registered: 'good',
  registration_pending: 'busy',
  registration_failed: 'bad',
  unregistration_pending: 'busy',
  unregistered: 'idle',
  unregistration_failed: 'bad',
} as const;

/** Returns the label and color of an installation's status. */
export const installationStatus = ({ enabled, status }: Pick<Installation, 'enabled' | 'status'>) =>
  enabled || status.endsWith('failed')
    ? { kind: KINDS[status], label: t(status) }
    : { kind: 'idle' as const, label: t('disabled') };

import { iso } from '#shared/api/views.ts';
import { assetUrl } from '#shared/domain/admin/assets.ts';
import { withoutSecrets } from '#shared/domain/admin/secretFields.ts';
import { webhookUrlOf } from '#shared/outbound/endpoints/webhookUrl.ts';
import { incompleteReason } from '#shared/outbound/installations/needsConfiguration.ts';
import type { Installation } from '#shared/storage/dynamodb/bots/installation.ts';
import type { InstallationSettings } from '#shared/storage/dynamodb/definitions/botDefinition.ts';
import type { Integration } from '#shared/storage/dynamodb/integrations/integrations.ts';
import { installationSecrets } from './installationSecrets.ts';

/**
 * @param integration undefined if it was deleted together with its workspace
 * @param isFull includes configurations, and the webhooks of integrations other than chats, which accept any request
 */
export async function viewInstallation(
  installation: Installation,
  settings: InstallationSettings,
  integration: Integration | undefined,
  isFull: boolean,
) {
  const showsWebhook = isFull || installation.isChat;
  return {
    enabled: installation.isEnabled,
    name: integration?.name ?? '',
    version: integration?.version ?? '',
    webhookUrl: showsWebhook ? webhookUrlOf(installation) : '',
    webhookId: showsWebhook ? installation.webhookId : '',
    configurationType: settings.configurationType,
    configuration: isFull ? withoutSecrets(settings.configuration, installationSecrets(settings, integration)) : {},
    ...(installation.identifier === undefined ? {} : { identifier: installation.identifier }),
    ...viewStatus(installation),
    disabledChannels: settings.disabledChannels,
    id: installation.integrationId,
    createdAt: iso(installation.createdAtMs),
    updatedAt: iso(installation.updatedAtMs),
    title: integration?.title ?? '',
    description: integration?.description ?? '',
    iconUrl: await assetUrl(integration?.iconKey),
    public: integration?.visibility === 'public',
    visibility: integration?.visibility ?? 'private',
    verificationStatus: 'unapproved',
    lifecycleStatus: integration ? 'published' : 'deprecated',
  };
}

/** Clients treat `registration_failed` as an installation that needs attention, and show the reason. */
function viewStatus({ isEnabled, registration, missingConfiguration }: Installation) {
  if (missingConfiguration) {
    return {
      status: isEnabled ? 'registration_failed' : 'unregistered',
      statusReason: incompleteReason(missingConfiguration),
      // Extends the contract.
      missingConfiguration,
    };
  }
  return {
    status: registration?.status ?? (isEnabled ? 'registered' : 'unregistered'),
    statusReason: registration?.reason ?? null,
  };
}

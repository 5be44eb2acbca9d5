import { randomBytes } from 'node:crypto';
import { keepSecrets, withoutSecrets } from '#shared/domain/admin/secretFields.ts';
import type { InstallationSettings } from '#shared/storage/dynamodb/definitions/botDefinition.ts';
import type { Integration } from '#shared/storage/dynamodb/integrations/integrations.ts';
import type { BotChanges } from './botInputs.ts';
import { requireChatConfiguration } from './chatConfiguration.ts';
import { installationSecrets } from './installationSecrets.ts';

export type Change = NonNullable<NonNullable<BotChanges['integrations']>[string]>;

export function changedSettings(
  before: InstallationSettings | undefined,
  change: Change,
  { alias, integration, isChat }: { alias: string; integration: Integration | undefined; isChat: boolean },
): InstallationSettings {
  const configurationType =
    change.configurationType === undefined ? (before?.configurationType ?? null) : change.configurationType;
  const isSameType = configurationType === (before?.configurationType ?? null);
  // Another configuration type does not inherit secrets.
  const stored =
    before &&
    (isSameType
      ? before.configuration
      : withoutSecrets(before.configuration, installationSecrets(before, integration)));
  const secretPaths = installationSecrets(
    { configurationType, secretPaths: isSameType ? before?.secretPaths : [] },
    integration,
  );
  const configuration = change.configuration
    ? keepSecrets(change.configuration, stored ?? {}, secretPaths)
    : (stored ?? {});
  requireChatConfiguration(alias, configuration, { isChat });
  return {
    configurationType,
    configuration,
    secretPaths,
    disabledChannels: change.disabledChannels ?? before?.disabledChannels ?? [],
    encryptionKey: before?.encryptionKey ?? randomBytes(24).toString('base64url'),
  };
}

/** The webhook of a chat installation, which receives the signals of all conversations. */
import { hashText } from '#shared/core/ids.ts';
import type { Bot } from '#shared/storage/dynamodb/bots/bots.ts';
import type { Installation } from '#shared/storage/dynamodb/bots/installation.ts';
import type { InstallationSettings } from '#shared/storage/dynamodb/definitions/botDefinition.ts';

interface SignalWebhook {
  url: string;
  secret?: string | undefined;
}

type Settings = Pick<InstallationSettings, 'configuration'>;

/** Undefined without a URL, for example after an import without secrets. */
export function signalWebhookOf(settings: Settings | undefined): SignalWebhook | undefined {
  const { webhookUrl: url, webhookSecret: secret } = settings?.configuration ?? {};
  if (typeof url !== 'string') return undefined;
  return { url, ...(typeof secret === 'string' ? { secret } : {}) };
}

export function signalUrlHash(settings: Settings): string | undefined {
  const webhook = signalWebhookOf(settings);
  return webhook && hashText('signals', webhook.url);
}

/** Returns the enabled installation whose signals a webhook receives. */
export const signalInstallation = (
  { installations }: Pick<Bot, 'installations'>,
  webhookId: string,
): Installation | undefined =>
  installations.find(each => each.webhookId === webhookId && each.isEnabled && each.signalUrlHash !== undefined);

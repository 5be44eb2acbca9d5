/** Headers read by the SDK's handlers (docs/api/botChat.md#deliveries). */
import { own } from '#shared/core/own.ts';
import type { Bot } from '#shared/storage/dynamodb/bots/bots.ts';
import type { Installation } from '#shared/storage/dynamodb/bots/installation.ts';
import type { BotDefinition } from '#shared/storage/dynamodb/definitions/botDefinition.ts';

export type BotHook = 'event_received' | 'register' | 'unregister' | 'ping' | 'action_triggered';
export type IntegrationOperation =
  | Exclude<BotHook, 'event_received'>
  | 'webhook_received'
  | 'message_created'
  | 'message_updated'
  | 'conversation_updated'
  | 'create_user'
  | 'create_conversation';

const encoded = (configuration: unknown) => Buffer.from(JSON.stringify(configuration)).toString('base64');

/** Counts from 1. A function that crashes after a call repeats a number. */
export const attemptHeader = (attempt: number) => ({ 'x-bp-attempt': String(attempt) });

/** @param type not empty: the SDK rejects that */
export const botHeaders = (
  bot: Pick<Bot, 'id'>,
  definition: BotDefinition | undefined,
  operation: BotHook,
  type: string,
) => ({
  'x-bot-id': bot.id,
  'x-bp-operation': operation,
  'x-bp-type': type,
  'x-bp-configuration': encoded(definition?.configuration?.data ?? {}),
});

export function integrationHeaders(
  bot: Pick<Bot, 'id'>,
  installation: Installation,
  definition: BotDefinition | undefined,
  operation: IntegrationOperation,
  type: string,
): Record<string, string> {
  const settings = own(definition?.installations, installation.alias);
  return {
    'x-bot-id': bot.id,
    'x-bot-user-id': bot.id,
    'x-bp-operation': operation,
    'x-bp-type': type,
    'x-integration-id': installation.integrationId,
    'x-integration-alias': installation.alias,
    'x-webhook-id': installation.webhookId,
    ...(installation.identifier === undefined ? {} : { 'x-bp-integration-identifier': installation.identifier }),
    'x-bp-configuration': encoded(settings?.configuration ?? {}),
    ...(settings?.configurationType ? { 'x-bp-configuration-type': settings.configurationType } : {}),
  };
}

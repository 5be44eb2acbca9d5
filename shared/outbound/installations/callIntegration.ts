import { clock } from '#shared/core/clock.ts';
import { startOf } from '#shared/core/excerpt.ts';
import { newRecordId } from '#shared/core/ids.ts';
import { objectIn } from '#shared/core/objectIn.ts';
import { callTarget, targetOf } from '#shared/outbound/code/callTarget.ts';
import type { CallOutcome } from '#shared/outbound/endpoints/callEndpoint.ts';
import { type IntegrationOperation, integrationHeaders } from '#shared/outbound/endpoints/headers.ts';
import { signedHeaders } from '#shared/outbound/endpoints/webhookSignature.ts';
import { webhookUrlOf } from '#shared/outbound/endpoints/webhookUrl.ts';
import type { Bot } from '#shared/storage/dynamodb/bots/bots.ts';
import type { Installation, Registration } from '#shared/storage/dynamodb/bots/installation.ts';
import type { BotDefinition } from '#shared/storage/dynamodb/definitions/botDefinition.ts';
import type { Integration } from '#shared/storage/dynamodb/integrations/integrations.ts';

export interface Installed {
  bot: Pick<Bot, 'id'>;
  installation: Installation;
  definition: BotDefinition | undefined;
  integration: Integration;
}

/** Posts an operation. Never throws. @param id the same for every attempt */
export function callIntegration(
  installed: Installed,
  operation: IntegrationOperation,
  {
    type = operation,
    input,
    timeoutMs,
    id = newRecordId('call'),
  }: { type?: string; input: unknown; timeoutMs: number; id?: string },
): Promise<CallOutcome> {
  const target = targetOf('integration', installed.integration);
  if (!target) return Promise.resolve({ kind: 'failed', reason: 'it has no url and no running code' });
  const request = integrationRequest(installed, operation, { type, input, id });
  return callTarget(target, { ...request, timeoutMs, about: id });
}

export function integrationRequest(
  { bot, installation, definition, integration }: Installed,
  operation: IntegrationOperation,
  { type, input, id }: { type: string; input: unknown; id: string },
): { headers: Record<string, string>; body: string } {
  const body = JSON.stringify(input);
  const headers = {
    ...integrationHeaders(bot, installation, definition, operation, type),
    ...signedHeaders(integration, { id, body, nowMs: clock.now() }),
  };
  return { headers, body };
}

export interface RegistrationResult {
  status: Registration['status'];
  reason?: string;
  isTransient: boolean;
}

export async function callRegistration(
  installed: Installed,
  hook: 'register' | 'unregister',
  timeoutMs: number,
): Promise<RegistrationResult> {
  const { bot, installation } = installed;
  const outcome = await callIntegration(installed, hook, {
    input: { webhookUrl: webhookUrlOf(installation) },
    timeoutMs,
    id: `${hook}_${bot.id}_${installation.alias}_${installation.registration?.requestedAtMs ?? 0}`,
  });
  const reason = failureIn(outcome, timeoutMs);
  if (reason === undefined) return { status: `${hook}ed`, isTransient: false };
  const isRefused = outcome.kind === 'answered' && outcome.status < 500;
  return {
    status: hook === 'register' ? 'registration_failed' : 'unregistration_failed',
    reason,
    isTransient: !isRefused,
  };
}

const MAX_REASON_LENGTH = 1_000;

export function failureIn(outcome: CallOutcome, timeoutMs: number): string | undefined {
  if (outcome.kind === 'timedOut')
    return `The integration did not respond within ${Math.ceil(timeoutMs / 1000)} seconds.`;
  if (outcome.kind === 'failed') return `The integration could not be reached: ${outcome.reason}.`;
  if (outcome.kind === 'crashed') return `${outcome.reason}.`;
  const { status, text } = outcome;
  if (status >= 200 && status <= 299) return undefined;
  return startOf(messageIn(text) ?? `The integration responded with status ${status}.`, MAX_REASON_LENGTH);
}

function messageIn(text: string): string | undefined {
  const message = objectIn(text)?.message;
  return typeof message === 'string' && message !== '' ? message : undefined;
}

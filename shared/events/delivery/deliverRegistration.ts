import { environment } from '#shared/core/environment.ts';
import { callRegistration } from '#shared/outbound/installations/callIntegration.ts';
import { recordRegistrations } from '#shared/outbound/installations/registration.ts';
import { findBotWithDefinition } from '#shared/storage/dynamodb/bots/bots.ts';
import { type Installation, isActive, labelOf } from '#shared/storage/dynamodb/bots/installation.ts';
import { findIntegration } from '#shared/storage/dynamodb/integrations/integrations.ts';
import { QUEUES } from '#shared/storage/queues/queueSettings.ts';
import { appendBotLog } from './botLog.ts';

export type HookResult = { kind: 'done' } | { kind: 'again'; reason: string };

/** Registers or unregisters an installation when no operation does it. @param attempt 1-based */
export async function deliverRegistration(
  {
    botId,
    hook,
    installation: requested,
  }: { botId: string; hook: 'register' | 'unregister'; installation: Installation },
  attempt: number,
): Promise<HookResult> {
  const [found, integration] = await Promise.all([
    findBotWithDefinition(botId),
    findIntegration(requested.integrationId),
  ]);
  if (!found || !integration) return { kind: 'done' };
  const { bot, definition } = found;
  const { alias, registration: request } = requested;
  const installation =
    hook === 'unregister' ? requested : bot.installations.find(each => each.alias === alias && isActive(each));
  // Changed again, or completed by an earlier delivery.
  const { registration } = installation ?? {};
  const isAwaited =
    registration?.status === 'registration_pending' && registration.requestedAtMs === request?.requestedAtMs;
  if (!installation || (hook === 'register' && !isAwaited)) return { kind: 'done' };

  const { status, reason, isTransient } = await callRegistration(
    { bot, installation, definition, integration },
    hook,
    environment.deliveryTimeoutMs,
  );
  if (reason !== undefined) {
    await appendBotLog(
      botId,
      'error',
      `The ${hook} call to the endpoint of the integration ${labelOf(installation)} failed: ${reason}`,
    );
    if (isTransient && attempt < QUEUES.deliveries.maxReceives) return { kind: 'again', reason };
  }
  if (hook === 'register') {
    await recordRegistrations(botId, [{ alias, requestedAtMs: request!.requestedAtMs, status, reason }]);
  }
  return { kind: 'done' };
}

/** Calls the hooks of bots and integrations, and stores the identifiers that integrations return. */
import { clock } from '#shared/core/clock.ts';
import { environment } from '#shared/core/environment.ts';
import { callTarget } from '#shared/outbound/code/callTarget.ts';
import { botHeaders } from '#shared/outbound/endpoints/headers.ts';
import { signedHeaders } from '#shared/outbound/endpoints/webhookSignature.ts';
import { configured, IDENTIFIER } from '#shared/outbound/installations/configure.ts';
import { changeInstallations } from '#shared/outbound/installations/registration.ts';
import { findBotWithDefinition } from '#shared/storage/dynamodb/bots/bots.ts';
import type { DeliveryJob } from '#shared/storage/queues/deliveryJobs.ts';
import { appendBotLog } from './botLog.ts';
import { deliverRegistration, type HookResult } from './deliverRegistration.ts';
import { reasonOf, verdictOf } from './verdict.ts';

export async function storeIdentifier(job: Extract<DeliveryJob, { kind: 'identifier' }>): Promise<void> {
  const { botId, webhookId, identifier } = job;
  // Validates again, because the identifier originates from an integration's response.
  if (!IDENTIFIER.test(identifier)) return;
  await changeInstallations(botId, ({ installations }) =>
    installations.map(each => (each.webhookId === webhookId ? configured(each, { identifier }, clock.now()) : each)),
  );
}

/** @param nth counts the job's runs from 1 */
export async function deliverHook(
  { botId, hook, url, installation, version }: Extract<DeliveryJob, { kind: 'hook' }>,
  nth: number,
): Promise<HookResult> {
  if (installation && hook !== 'ping') return deliverRegistration({ botId, hook, installation }, nth);
  const found = await findBotWithDefinition(botId);
  if (!found || url === undefined) return { kind: 'done' };
  const { bot, definition } = found;
  const body = '{}';
  const headers = {
    ...botHeaders(bot, definition, hook, hook),
    ...signedHeaders(bot, { id: `${hook}_${botId}_${version}`, body, nowMs: clock.now() }),
  };
  const timeoutMs = environment.deliveryTimeoutMs;
  const response = await callTarget({ url }, { headers, body, timeoutMs, statusOnly: true });
  const verdict = verdictOf(response);
  if (verdict === 'done') return { kind: 'done' };
  const reason = reasonOf(response, timeoutMs);
  await appendBotLog(botId, 'error', `The ${hook} call to the endpoint of the bot failed: ${reason}`);
  return verdict === 'refused' ? { kind: 'done' } : { kind: 'again', reason };
}

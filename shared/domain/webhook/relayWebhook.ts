import { limitingSlowCalls } from '#shared/api/openWorkLeases.ts';
import type { GatewayResult } from '#shared/api/operation.ts';
import type { WebhookCall, WebhookRequest } from '#shared/api/operations/webhook.ts';
import { jsonResponse } from '#shared/api/steps/writeResponse.ts';
import { environment } from '#shared/core/environment.ts';
import { ApiError, newErrorId, notFound } from '#shared/core/errors.ts';
import { newRecordId } from '#shared/core/ids.ts';
import { errorFields, log } from '#shared/core/log.ts';
import { fetchTarget, targetOf } from '#shared/outbound/code/callTarget.ts';
import type { FetchOutcome } from '#shared/outbound/endpoints/callEndpoint.ts';
import { integrationRequest } from '#shared/outbound/installations/callIntegration.ts';
import { IDENTIFIER } from '#shared/outbound/installations/configure.ts';
import { findBotWithDefinition } from '#shared/storage/dynamodb/bots/bots.ts';
import type { PublicWebhook } from '#shared/storage/dynamodb/chat/webhooks.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { findIntegration } from '#shared/storage/dynamodb/integrations/integrations.ts';
import { putLogLine } from '#shared/storage/dynamodb/workspace/logs.ts';
import { enqueueIdentifier } from '#shared/storage/queues/deliveryJobs.ts';
import { relayedHeaders } from './relayedHeaders.ts';

/** The gateway's timeout is 29 s. */
const MAX_MS = 25_000;
const timeoutMs = () => Math.min(MAX_MS, environment.deliveryTimeoutMs);
/** Enough to start or deploy an integration. */
const RETRY_AFTER_SECONDS = 30;

/** @throws ApiError ResourceNotFound; RateLimited at a limit of slow calls */
export async function relay(
  { request, requestId, nowMs }: WebhookCall,
  webhook: PublicWebhook,
): Promise<GatewayResult> {
  const [found, integration] = await Promise.all([
    findBotWithDefinition(webhook.botId),
    findIntegration(webhook.integrationId),
  ]);
  const installation = found?.bot.installations.find(each => each.webhookId === webhook.webhookId);
  if (!found || found.bot.deletedAtMs !== undefined || !installation?.isEnabled) throw notFound('The webhook');
  // The caller is a service or a stranger, so the error names no field.
  if (installation.missingConfiguration) {
    throw new ApiError('Runtime', 'The integration is not configured yet. Configure it in the bot, then retry.');
  }
  const target = integration && targetOf('integration', integration);
  if (!target) {
    // The built-in chat integration has no endpoint: users connect through the chat API.
    if (installation.isChat) throw notFound('The webhook of a chat integration, which uses the chat API,');
    return unavailable('The integration has no endpoint yet.', requestId, webhook.webhookId);
  }

  const received = integrationRequest({ ...found, installation, integration }, 'webhook_received', {
    type: 'webhook_received',
    input: { req: asSdkRequest(request) },
    id: newRecordId('whk', nowMs),
  });
  const outcome = await limitingSlowCalls(
    [
      ['botCalls', webhook.botId],
      ['integrationCalls', integration.id],
      ['workspaceCalls', found.bot.workspaceId],
    ],
    timeoutMs(),
    signal => fetchTarget(target, { ...received, timeoutMs: timeoutMs(), signal }),
  );
  const reason = absenceIn(outcome);
  if (reason !== undefined) {
    await logForAuthor(webhook, outcome, { reason, nowMs });
    return unavailable(reason, requestId, webhook.webhookId);
  }
  const answered = outcome as Answered;
  await takeIdentifier(webhook, answered);
  return relayed(answered);
}

/** The SDK expects a string, so non-UTF-8 bytes are encoded in base64. */
function asSdkRequest({ body, ...rest }: WebhookRequest) {
  if (body.length === 0) return rest;
  const text = body.toString('utf8');
  return Buffer.from(text, 'utf8').equals(body)
    ? { ...rest, body: text }
    : { ...rest, body: body.toString('base64'), isBase64Encoded: true };
}

/** Logs the failure for the bot's members: the caller of the webhook is usually a service. Never fails. */
async function logForAuthor(
  { botId, integration }: PublicWebhook,
  outcome: FetchOutcome,
  { reason, nowMs }: { reason: string; nowMs: number },
): Promise<void> {
  // The output of deployed code has its own lines.
  if (outcome.kind === 'crashed') return;
  const message = `A webhook of the integration ${integration} received no response: ${reason}`;
  await write([putLogLine(botId, { timestampMs: nowMs, level: 'warn', message })]).catch(error =>
    log.warn('A log line could not be written.', { botId, error: errorFields(error) }),
  );
}

type Answered = Extract<FetchOutcome, { kind: 'answered' }>;

function absenceIn(outcome: FetchOutcome): string | undefined {
  if (outcome.kind === 'timedOut') return `The integration did not respond within ${timeoutMs() / 1000} seconds.`;
  if (outcome.kind === 'failed') return `The integration could not be reached: ${outcome.reason}.`;
  // Callers of a webhook are unauthenticated, so the reason is only in the author's log.
  if (outcome.kind === 'crashed') return 'The integration failed.';
  // Responses of a tunnel or proxy without a backend.
  return outcome.status === 502 || outcome.status === 504 || outcome.status > 599
    ? 'The integration did not respond.'
    : undefined;
}

/** Not 502: many clients treat it as a network error and do not retry. */
function unavailable(message: string, requestId: string, webhookId: string): GatewayResult {
  const id = newErrorId();
  log.info('A webhook received no response.', { errorId: id, requestId, webhookId, reason: message });
  const body = { id, code: 503, type: 'Internal', message: `${message} Retry after ${RETRY_AFTER_SECONDS} s.` };
  return jsonResponse(503, body, { 'retry-after': String(RETRY_AFTER_SECONDS) });
}

/** A consumer stores the identifier, because this function is callable without authentication. */
async function takeIdentifier({ botId, webhookId }: PublicWebhook, { headers }: Answered) {
  const identifier = headers['x-bp-integration-identifier'];
  if (typeof identifier !== 'string' || !IDENTIFIER.test(identifier)) return;
  await enqueueIdentifier({ botId, webhookId, identifier });
}

const relayed = ({ status, headers, bytes }: Answered): GatewayResult => ({
  statusCode: status,
  headers: relayedHeaders(headers),
  body: bytes.toString('base64'),
  isBase64Encoded: true,
});

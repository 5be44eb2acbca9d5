/**
 * Relays a request to a webhook that all installations of an integration share. The integration's script extracts the
 * identifier of the installation from the request (docs/api/webhook.md#shared).
 */
import * as z from 'zod/mini';
import type { GatewayResult } from '#shared/api/operation.ts';
import type { SharedWebhook, WebhookCall } from '#shared/api/operations/webhook.ts';
import { countCalls } from '#shared/api/steps/limitRate.ts';
import { callsTo } from '#shared/api/webhook/findWebhook.ts';
import type { WebhookState } from '#shared/api/webhook/webhookState.ts';
import { notFound } from '#shared/core/errors.ts';
import { errorFields, log } from '#shared/core/log.ts';
import { findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { findIdentified } from '#shared/storage/dynamodb/bots/identifiers.ts';
import { findPublicWebhook, type PublicWebhook } from '#shared/storage/dynamodb/chat/webhooks.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import type { Integration } from '#shared/storage/dynamodb/integrations/integrations.ts';
import { openSecrets } from '#shared/storage/dynamodb/secrets/sealed.ts';
import { putLogLine } from '#shared/storage/dynamodb/workspace/logs.ts';
import { relayedHeaders } from './relayedHeaders.ts';
import { relay } from './relayWebhook.ts';
import { runScript } from './scripts/runScript.ts';

/** JSON of some providers has numeric ids. */
const Identifier = z.union([z.string().check(z.minLength(1)), z.pipe(z.number(), z.transform(String))]);

const ScriptResponse = z.object({
  status: z._default(z.int().check(z.minimum(200), z.maximum(599)), 200),
  headers: z._default(z.record(z.string(), z.string()), {}),
  body: z._default(z.string(), ''),
});

/** @throws ApiError ResourceNotFound; RateLimited at a limit of slow calls */
export async function relayShared(call: WebhookCall, shared: SharedWebhook): Promise<GatewayResult> {
  const { integration, definition } = shared;
  const { extractScript, fallbackHandlerScript } = definition.identifier;
  const event = eventOf(call, openSecrets(integration.id, definition.secrets));
  const extracted = await runScript(integration.id, extractScript!, event);
  const identifier = 'value' in extracted ? Identifier.safeParse(extracted.value).data : undefined;
  const webhook = identifier === undefined ? undefined : await findInstallation(integration, identifier);
  if (webhook) {
    countCalls(call as WebhookState, callsTo(webhook));
    return relay(call, webhook);
  }
  if (fallbackHandlerScript !== undefined) {
    const answer = await runScript(integration.id, fallbackHandlerScript, event);
    const response = 'value' in answer ? ScriptResponse.safeParse(answer.value) : undefined;
    if (response?.success) return responseOf(response.data);
    const reason = 'error' in answer ? answer.error : 'Its value is not a response.';
    await logForAuthor(integration.id, `The fallbackHandlerScript failed: ${reason}`, call.nowMs);
  }
  throw notFound('The installation of this request');
}

const eventOf = ({ request: { body, ...rest } }: WebhookCall, secrets: Record<string, string>) => ({
  ...rest,
  body: body.toString('utf8'),
  secrets,
});

/** Checks the bots' records, because the index may be behind. */
async function findInstallation(
  { workspaceId, name }: Integration,
  identifier: string,
): Promise<PublicWebhook | undefined> {
  for (const webhookId of await findIdentified({ workspaceId, name, identifier })) {
    const webhook = await findPublicWebhook(webhookId);
    const bot = webhook && (await findBot(webhook.botId));
    const installation = bot?.installations.find(each => each.webhookId === webhookId);
    if (bot?.deletedAtMs === undefined && installation?.isEnabled && installation.identifier === identifier)
      return webhook;
  }
  return undefined;
}

/** A response has the same restrictions as that of an integration. */
const responseOf = ({ status, headers, body }: z.infer<typeof ScriptResponse>): GatewayResult => ({
  statusCode: status,
  headers: relayedHeaders(
    Object.fromEntries(Object.entries(headers).map(([header, value]) => [header.toLowerCase(), value])),
  ),
  body,
});

/** Never fails. The author of the integration reads the log. */
async function logForAuthor(integrationId: string, message: string, timestampMs: number): Promise<void> {
  await write([putLogLine(integrationId, { timestampMs, level: 'warn', message })]).catch(error =>
    log.warn('A log line could not be written.', { integrationId, error: errorFields(error) }),
  );
}

/**
 * Creates users and conversations through an integration, which identifies them at its provider and creates them with
 * its own calls (docs/api/botChat.md#creation).
 */

import type { BotCall } from '#shared/api/operations/platform.ts';
import { present } from '#shared/api/platform/tagInputs.ts';
import { ApiError, invalidPayload } from '#shared/core/errors.ts';
import { isObject, objectIn } from '#shared/core/objectIn.ts';
import { shownName } from '#shared/domain/messaging/callerScope.ts';
import { isReachable } from '#shared/outbound/code/callTarget.ts';
import type { CallOutcome } from '#shared/outbound/endpoints/callEndpoint.ts';
import { callIntegration, failureIn } from '#shared/outbound/installations/callIntegration.ts';
import { requireConfigured } from '#shared/outbound/installations/needsConfiguration.ts';
import { findBotWithDefinition } from '#shared/storage/dynamodb/bots/bots.ts';
import { labelOf } from '#shared/storage/dynamodb/bots/installation.ts';
import type { IntegrationDefinition } from '#shared/storage/dynamodb/definitions/integrationDefinition.ts';
import { findIntegrationWithDefinition } from '#shared/storage/dynamodb/integrations/integrations.ts';

const TIMEOUT_MS = 10_000;

type CreationCall = Pick<BotCall<unknown>, 'botId' | 'installation' | 'principal' | 'keepOnce'>;

type CreationRequest = { integrationName?: string | undefined; tags: Record<string, string | null> } & (
  | { kind: 'user' }
  | { kind: 'conversation'; channel: string }
);

/**
 * Returns the id of the record that the integration created; undefined if the caller is the integration itself, names
 * none, or names one that leaves creation to the platform.
 * @throws ApiError InvalidPayload for a missing tag, Runtime if the integration fails, OperationTimeout after 10
 * seconds
 */
export async function createThroughIntegration(
  call: CreationCall,
  request: CreationRequest,
): Promise<string | undefined> {
  const { installation: named, principal, botId } = call;
  if (principal.kind === 'integration' || (!named && request.integrationName === undefined)) return undefined;
  const found = await findBotWithDefinition(botId);
  const installation = found?.bot.installations.find(
    each =>
      each.isEnabled && (named ? each.webhookId === named.webhookId : isNamed(each, String(request.integrationName))),
  );
  if (!found || !installation) return undefined;
  requireConfigured(installation);
  const target = await findIntegrationWithDefinition(installation.integrationId);
  const creation = target && creationIn(target.definition, request);
  if (!target || !isReachable(target.integration) || !creation?.enabled) return undefined;

  const tags = Object.fromEntries(
    Object.entries(present(request.tags)).map(([name, value]) => [shownName({ installation }, name), value]),
  );
  requireTags(tags, creation.requiredTags, labelOf(installation));
  const { integration } = target;
  const input = request.kind === 'user' ? { tags } : { channel: request.channel, tags };
  const { value } = await call.keepOnce(async () => {
    const outcome = await callIntegration(
      { bot: found.bot, installation, definition: found.definition, integration },
      request.kind === 'user' ? 'create_user' : 'create_conversation',
      { input, timeoutMs: TIMEOUT_MS },
    );
    return idIn(outcome, request.kind, labelOf(installation));
  });
  return value;
}

const isNamed = (installation: Parameters<typeof labelOf>[0], name: string) =>
  labelOf(installation) === name || installation.name === name;

const creationIn = ({ user, channels }: IntegrationDefinition, request: CreationRequest) =>
  request.kind === 'user'
    ? user.creation
    : Object.hasOwn(channels, request.channel)
      ? channels[request.channel]!.conversation.creation
      : undefined;

function requireTags(tags: Record<string, string>, required: readonly string[], label: string): void {
  const missing = required.find(name => !Object.hasOwn(tags, name));
  if (missing !== undefined) {
    throw invalidPayload(`tags.${missing}: The integration ${label} requires this tag.`, `tags.${missing}`);
  }
}

function idIn(outcome: CallOutcome, kind: CreationRequest['kind'], label: string): string {
  const what = `The integration ${label} did not create the ${kind}`;
  const reason = failureIn(outcome, TIMEOUT_MS);
  if (reason !== undefined) {
    throw new ApiError(outcome.kind === 'timedOut' ? 'OperationTimeout' : 'Runtime', `${what}: ${reason}`);
  }
  const id = outcome.kind === 'answered' ? parsedId(outcome.text, kind) : undefined;
  if (id === undefined) throw new ApiError('Runtime', `${what}: its response has no ${kind}.id.`);
  return id;
}

function parsedId(text: string, kind: CreationRequest['kind']): string | undefined {
  const record = objectIn(text)?.[kind];
  return isObject(record) && typeof record.id === 'string' ? record.id : undefined;
}

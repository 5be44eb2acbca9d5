/** Actions: calls to a bot's or integration's endpoint that return an output (docs/api/botChat.md#actions). */

import { limitingSlowCalls } from '#shared/api/openWorkLeases.ts';
import type { Subject } from '#shared/api/openWorkLimits.ts';
import { clock } from '#shared/core/clock.ts';
import { ApiError, notFound } from '#shared/core/errors.ts';
import { startOf } from '#shared/core/excerpt.ts';
import { newRecordId } from '#shared/core/ids.ts';
import { faultOf, type SchemaFault } from '#shared/core/jsonSchema.ts';
import { isObject, objectIn } from '#shared/core/objectIn.ts';
import { parseJson } from '#shared/core/parseJson.ts';
import { withDefaults } from '#shared/core/schemaDefaults.ts';
import type { HandoffCall } from '#shared/domain/botChat/handoffs/handoffMembers.ts';
import { callTarget, isReachable, type Target, targetOf } from '#shared/outbound/code/callTarget.ts';
import type { CallOutcome } from '#shared/outbound/endpoints/callEndpoint.ts';
import { botHeaders, integrationHeaders } from '#shared/outbound/endpoints/headers.ts';
import { signedHeaders } from '#shared/outbound/endpoints/webhookSignature.ts';
import { isInbox } from '#shared/outbound/installations/inboxInstallation.ts';
import { requireConfigured } from '#shared/outbound/installations/needsConfiguration.ts';
import { requireSchema } from '#shared/outbound/installations/requireSchema.ts';
import { type Bot, findBot, findBotWithDefinition } from '#shared/storage/dynamodb/bots/bots.ts';
import { type Installation, labelOf } from '#shared/storage/dynamodb/bots/installation.ts';
import type { BotDefinition } from '#shared/storage/dynamodb/definitions/botDefinition.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { findIntegration, findIntegrationWithDefinition } from '#shared/storage/dynamodb/integrations/integrations.ts';
import type { SigningSecret } from '#shared/storage/dynamodb/secrets/secretPaths.ts';
import { putLogLine } from '#shared/storage/dynamodb/workspace/logs.ts';
import type { BuiltInAction } from './actionInputs.ts';
import { HANDOFF_ACTIONS } from './handoffActions.ts';
import { INBOX_ACTIONS } from './inboxActions.ts';
import { publishMessageStream } from './publishMessageStream.ts';
import { sendEvent } from './sendEvent.ts';
import { WEBCHAT_ACTIONS } from './webchatActions.ts';

const TIMEOUT_MS = 10_000;

interface Handler {
  declared: Declared | undefined;
  target: Target;
  headers: Record<string, string>;
  type: string;
  signer: { id: string; signingSecrets: readonly SigningSecret[] };
  subjects: Subject[];
}

/**
 * Calls an action's endpoint and logs a failure in the bot's log.
 * @param type `<integration's alias>:<name>`, or the name of an action of the bot itself
 * @throws ApiError OperationTimeout after 10 seconds, Runtime if the action fails, ReferenceNotFound without an
 * endpoint, RateLimited at a limit of slow calls
 */
export async function runAction(call: HandoffCall, type: string, input: unknown): Promise<Record<string, unknown>> {
  const builtIn = isBuiltIn(type) ? await builtInOf(call.botId, type) : undefined;
  if (builtIn) return builtIn(call, input);
  // Re-read, because the call's record may be half a minute old.
  const current = await findBotWithDefinition(call.botId);
  if (!current) throw notFound(`The bot ${call.botId}`);
  const { target, headers, type: nameAtTarget, signer, declared, subjects } = await handlerOf(current, type);
  requireSchema(declared?.input?.schema, input, 'input');
  // Integrations rely on the defaults, and callers leave them out.
  const body = JSON.stringify({ type: nameAtTarget, input: withDefaults(declared?.input?.schema, input) });
  const signature = signedHeaders(signer, { id: newRecordId('act'), body, nowMs: clock.now() });
  const request = { headers: { ...headers, ...signature }, body, timeoutMs: TIMEOUT_MS, about: type };
  const outcome = await limitingSlowCalls(subjects, TIMEOUT_MS, signal => callTarget(target, { ...request, signal }));
  const result = await resultOf(type, declared, outcome);
  if ('output' in result) return result.output;

  // Excludes the URL, which belongs to the integration's owner, possibly in another workspace.
  const { message } = result.error;
  await write([putLogLine(call.botId, { timestampMs: clock.now(), level: 'error', message })]);
  throw result.error;
}

interface Declared {
  input?: { schema?: unknown };
  output?: { schema?: unknown };
}

const declaredIn = (actions: Record<string, unknown>, name: string) =>
  Object.hasOwn(actions, name) ? (actions[name] as Declared) : undefined;

const schemaMismatch = (type: string, { path, message }: SchemaFault) =>
  new ApiError(
    'Runtime',
    `The response to the action ${type} does not match its definition: ${['output', ...path].join('.')} ${message}.`,
  );

const CHAT_ACTIONS: Record<string, BuiltInAction> = {
  sendEvent,
  publishMessageStream,
  ...HANDOFF_ACTIONS,
  ...WEBCHAT_ACTIONS,
};

const actionIn = (actions: Record<string, BuiltInAction>, name: string) =>
  Object.hasOwn(actions, name) ? actions[name] : undefined;

/** Returns true for names of actions that the platform may run itself. */
function isBuiltIn(type: string): boolean {
  const at = type.indexOf(':');
  const name = type.slice(at + 1);
  return at >= 0 && (actionIn(CHAT_ACTIONS, name) ?? actionIn(INBOX_ACTIONS, name)) !== undefined;
}

/**
 * Returns the action if the platform runs it itself. A chat integration with an endpoint runs its actions there. Reads
 * no definition, because a bot that streams a reply calls an action many times a second.
 */
async function builtInOf(botId: string, type: string) {
  const bot = await findBot(botId);
  if (!bot) throw notFound(`The bot ${botId}`);
  const { installation, name } = installationOf(bot, type);
  const action = isInbox(installation)
    ? actionIn(INBOX_ACTIONS, name)
    : installation.isChat && !(await hasEndpoint(installation))
      ? actionIn(CHAT_ACTIONS, name)
      : undefined;
  return action && ((call: HandoffCall, input: unknown) => action(call, input, installation));
}

async function hasEndpoint({ integrationId }: Installation): Promise<boolean> {
  const integration = await findIntegration(integrationId);
  return integration !== undefined && isReachable(integration);
}

const noTarget = (kind: 'bot' | 'integration', type: string) =>
  new ApiError('ReferenceNotFound', `The ${kind} has no url and no deployed code to run the action ${type}.`);

async function handlerOf({ bot, definition }: { bot: Bot; definition: BotDefinition }, type: string): Promise<Handler> {
  const ofBot: Subject[] = [
    ['botCalls', bot.id],
    ['workspaceCalls', bot.workspaceId],
  ];
  if (!type.includes(':')) {
    const target = targetOf('bot', bot);
    if (!target) throw noTarget('bot', type);
    return {
      declared: declaredIn(definition.actions, type),
      target,
      type,
      headers: botHeaders(bot, definition, 'action_triggered', type),
      signer: bot,
      subjects: ofBot,
    };
  }

  const { installation, name } = installationOf(bot, type);
  const found = await findIntegrationWithDefinition(installation.integrationId);
  const integration = found?.integration;
  const target = integration && targetOf('integration', integration);
  if (!target) throw noTarget('integration', type);
  return {
    declared: declaredIn(found!.definition.actions, name),
    target,
    type: name,
    headers: integrationHeaders(bot, installation, definition, 'action_triggered', name),
    signer: integration,
    subjects: [...ofBot, ['integrationCalls', integration.id]],
  };
}

function installationOf(bot: Bot, type: string) {
  const at = type.indexOf(':');
  const [label, name] = [type.slice(0, at), type.slice(at + 1)];
  const installation = bot.installations.find(each => each.isEnabled && labelOf(each) === label);
  if (!installation) throw new ApiError('ReferenceNotFound', `The integration ${label} is not installed on the bot.`);
  requireConfigured(installation);
  return { installation, name };
}

type Result = { output: Record<string, unknown> } | { error: ApiError };

async function resultOf(type: string, declared: Declared | undefined, outcome: CallOutcome): Promise<Result> {
  if (outcome.kind !== 'answered' || outcome.status < 200 || outcome.status > 299) {
    return { error: errorFor(type, outcome) };
  }
  let response: unknown;
  try {
    response = await parseJson(outcome.text);
  } catch (error) {
    const { message } = error as ApiError;
    return { error: new ApiError('Runtime', `The response to the action ${type} is invalid. ${message}`) };
  }
  if (!isObject(response) || !isObject(response.output)) {
    return { error: new ApiError('Runtime', `The response to the action ${type} has no output.`) };
  }
  const fault = faultOf(declared?.output?.schema, response.output, { mayHaveMore: true });
  return fault ? { error: schemaMismatch(type, fault) } : { output: response.output };
}

function errorFor(type: string, outcome: CallOutcome): ApiError {
  switch (outcome.kind) {
    case 'timedOut':
      return new ApiError('OperationTimeout', `The action ${type} timed out after ${TIMEOUT_MS / 1000} seconds.`);
    case 'failed':
      return new ApiError('Runtime', `The endpoint of the action ${type} could not be reached: ${outcome.reason}.`);
    case 'crashed':
      return new ApiError('Runtime', `The action ${type} failed: ${outcome.reason}.`);
    case 'answered': {
      const { status, text } = outcome;
      const message = objectIn(text)?.message;
      const detail = typeof message === 'string' ? `: ${startOf(message, 1_000)}` : '.';
      return new ApiError('Runtime', `The endpoint of the action ${type} returned status ${status}${detail}`, {
        metadata: { status },
      });
    }
  }
}

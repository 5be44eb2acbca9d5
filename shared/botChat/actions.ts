/** Actions: what a bot or integration does when it is asked to, at its own endpoint (FACTS 1.4). */

import type { BotCall } from '#shared/api/platform/operation.ts';
import { write } from '#shared/dynamodb/transaction.ts';
import type { BotDefinition } from '#shared/dynamodb/workspace/botDefinition.ts';
import { findBotWithDefinition, labelOf, type SigningSecret } from '#shared/dynamodb/workspace/bots.ts';
import { findIntegration } from '#shared/dynamodb/workspace/integrations.ts';
import { putLogLine } from '#shared/dynamodb/workspace/logs.ts';
import { type CallOutcome, callEndpoint } from '#shared/endpoints/callEndpoint.ts';
import { botHeaders, integrationHeaders } from '#shared/endpoints/headers.ts';
import { signedHeaders } from '#shared/endpoints/signature.ts';
import { ApiError } from '#shared/errors.ts';
import { newRecordId } from '#shared/ids.ts';
import { sendEvent } from './sendEvent.ts';

const TIMEOUT_MS = 10_000;

type ActionCall = Pick<BotCall<unknown>, 'bot' | 'botId' | 'nowMs' | 'installation'>;

/** Where an action is done, and what the endpoint is told besides. */
interface Target {
  url: string;
  headers: Record<string, string>;
  /** The action's own name there. */
  type: string;
  secrets: readonly SigningSecret[];
}

/**
 * Has an action done. @returns its output
 * @throws ApiError OperationTimeout when it takes longer than 10 seconds, Runtime when it fails, and ReferenceNotFound
 * when there is nobody to do it
 */
export async function runAction(call: ActionCall, type: string, input: unknown): Promise<Record<string, unknown>> {
  const [, name = ''] = type.split(':');
  const builtIn = Object.hasOwn(BUILT_IN, name) ? BUILT_IN[name] : undefined;
  if (builtIn && (await isOfChat(call, type))) return builtIn(call, input);
  const { url, headers, type: ownType, secrets } = await targetOf(call, type);
  const body = JSON.stringify({ type: ownType, input });
  const signature = signedHeaders(secrets, { id: newRecordId('act'), body, nowMs: Date.now() });
  const outcome = await callEndpoint(url, { headers: { ...headers, ...signature }, body, timeoutMs: TIMEOUT_MS });
  const output = outputOf(outcome);
  if (output) return output;

  const error = failureOf(type, outcome);
  await write([
    putLogLine(call.botId, { timestampMs: Date.now(), level: 'error', message: `${error.message} (${url})` }),
  ]);
  throw error;
}

/** Whether an action is one of an integration that has no endpoint of its own, which is the chat integration. */
async function isOfChat({ bot }: ActionCall, type: string): Promise<boolean> {
  const { installation } = installationOf(bot, type);
  return (await findIntegration(installation.integrationId))?.url === undefined;
}

/** What the chat integration does itself. */
const BUILT_IN: Record<string, (call: ActionCall, input: unknown) => Promise<Record<string, unknown>>> = {
  sendEvent,
};

async function targetOf({ bot, botId }: ActionCall, type: string): Promise<Target> {
  const found = await findBotWithDefinition(botId);
  const at = type.indexOf(':');
  if (at < 0) {
    if (!bot.url) throw new ApiError('ReferenceNotFound', 'The bot has no url at which it could do this.');
    return {
      url: bot.url,
      type,
      headers: botHeaders(bot, found?.definition, 'action_triggered', type),
      secrets: bot.signingSecrets,
    };
  }

  const { installation, ownType } = installationOf(bot, type);
  const integration = await findIntegration(installation.integrationId);
  if (!integration?.url) throw new ApiError('ReferenceNotFound', `The integration of ${type} has no url.`);
  return {
    url: integration.url,
    type: ownType,
    headers: integrationHeaders(bot, installation, found?.definition, 'action_triggered', ownType),
    secrets: integration.signingSecrets,
  };
}

/** @throws ApiError ReferenceNotFound */
function installationOf(bot: ActionCall['bot'], type: string) {
  const at = type.indexOf(':');
  const [label, ownType] = [type.slice(0, at), type.slice(at + 1)];
  const installation = bot.installations.find(each => each.isEnabled && labelOf(each) === label);
  if (!installation) throw new ApiError('ReferenceNotFound', `The integration ${label} is not installed on the bot.`);
  return { installation, ownType };
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function outputOf(outcome: CallOutcome): Record<string, unknown> | undefined {
  if (outcome.kind !== 'answered' || outcome.status < 200 || outcome.status > 299) return undefined;
  const output = parsed(outcome.text)?.output;
  return typeof output === 'object' && output !== null && !Array.isArray(output)
    ? (output as Record<string, unknown>)
    : undefined;
}

function failureOf(type: string, outcome: CallOutcome): ApiError {
  switch (outcome.kind) {
    case 'timedOut':
      return new ApiError('OperationTimeout', `The action ${type} was not done within ${TIMEOUT_MS / 1000} seconds.`);
    case 'failed':
      return new ApiError('Runtime', `The endpoint of the action ${type} could not be called: ${outcome.reason}.`);
    case 'answered': {
      const { status, text } = outcome;
      if (status >= 200 && status <= 299)
        return new ApiError('Runtime', `The action ${type} answered without an output.`);
      const message = parsed(text)?.message;
      const said = typeof message === 'string' ? `: ${message.slice(0, 1_000)}` : '.';
      return new ApiError('Runtime', `The endpoint of the action ${type} answered ${status}${said}`, {
        metadata: { status },
      });
    }
  }
}

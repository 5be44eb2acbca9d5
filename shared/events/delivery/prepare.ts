/** Resolves the recipient of a delivery and builds the request, or returns an outcome if there is nothing to call. */

import { clock } from '#shared/core/clock.ts';
import { own } from '#shared/core/own.ts';
import { contextOf } from '#shared/domain/messaging/botViews/eventPayload.ts';
import { viewEvent } from '#shared/domain/messaging/botViews/eventView.ts';
import { outgoingBody } from '#shared/domain/messaging/botViews/outgoingBody.ts';
import { BOT_SCOPE } from '#shared/domain/messaging/callerScope.ts';
import { addressOf, isReachable, type Target, targetOf } from '#shared/outbound/code/callTarget.ts';
import { attemptHeader, botHeaders } from '#shared/outbound/endpoints/headers.ts';
import { signedHeaders } from '#shared/outbound/endpoints/webhookSignature.ts';
import { integrationRequest } from '#shared/outbound/installations/callIntegration.ts';
import { needsConfiguration } from '#shared/outbound/installations/needsConfiguration.ts';
import { webchatInstallations } from '#shared/outbound/installations/webchatInstallations.ts';
import type { Bot, findBotWithDefinition } from '#shared/storage/dynamodb/bots/bots.ts';
import type { Installation } from '#shared/storage/dynamodb/bots/installation.ts';
import type { Conversation } from '#shared/storage/dynamodb/chat/conversations.ts';
import { type Event, entryOfEvent } from '#shared/storage/dynamodb/chat/events.ts';
import { findHandoffAt, type Handoff } from '#shared/storage/dynamodb/chat/handoffs.ts';
import type { OutgoingChange, OutgoingSignal } from '#shared/storage/dynamodb/chat/outgoing.ts';
import { MESSAGE_STATUSES, type MessageStatus } from '#shared/storage/dynamodb/chat/presence.ts';
import { type EndpointState, findEndpointState } from '#shared/storage/dynamodb/delivery/endpointState.ts';
import { findIntegration, type Integration } from '#shared/storage/dynamodb/integrations/integrations.ts';
import { type Destination, destinationOf } from '#shared/storage/dynamodb/partitioning/destinations.ts';
import { type BadEventRetries, badEventRetries } from './badEventRetries.ts';
import { recipientInstallation, usableInstallation } from './deliveryAddress.ts';
import { type Delivery, isOutgoing, isSignal } from './deliveryRecords.ts';
import { signalRequest, signalTarget } from './signalRequest.ts';
import type { Outcome } from './verdict.ts';

export type FoundBot = NonNullable<Awaited<ReturnType<typeof findBotWithDefinition>>>;

export interface Recipient {
  destination: Destination;
  botId: string;
  badEventRetries: BadEventRetries;
  /** Undefined for the bot itself and for the webhook of a chat. */
  integrationId: string | undefined;
  target: Target | undefined;
  address: string | undefined;
  /** Statuses that clients display: the webchat client shows all of them, other chat clients only failures. */
  shownStatuses: readonly MessageStatus[];
}

interface Request {
  headers: Record<string, string>;
  body: string;
}

export interface Call {
  target: Target;
  address: string;
  request: Request;
  endpoint: EndpointState;
}

type Prepared = { recipient: Recipient } & ({ call: Call } | { outcome: Outcome });

/** @param attempt counted from 1 */
export async function prepare(found: FoundBot, delivery: Delivery, attempt: number): Promise<Prepared> {
  if (isSignal(delivery)) return prepareSignal(found, delivery, attempt);
  const { bot } = found;
  const webhookId = isOutgoing(delivery) ? delivery.webhookId : undefined;
  const destination = destinationOf(bot.id, webhookId);
  const installed = webhookId === undefined ? undefined : await findInstalled(bot, webhookId);
  const target = installed
    ? installed.integration && targetOf('integration', installed.integration)
    : targetOf('bot', bot);
  const address = target && addressOf(target);
  const recipient = {
    destination,
    botId: bot.id,
    badEventRetries: badEventRetries(bot),
    integrationId: installed?.installation?.integrationId,
    target,
    address,
    shownStatuses: installed ? [] : shownStatuses(found),
  };
  if (!target || address === undefined) return { recipient, outcome: withoutTarget(bot, installed, webhookId) };
  const request = isOutgoing(delivery) ? outgoingRequest(found, installed!, delivery) : eventRequest(found, delivery);
  return withCall(recipient, { target, address, request, attempt });
}

async function prepareSignal(found: FoundBot, signal: OutgoingSignal, attempt: number): Promise<Prepared> {
  const { bot } = found;
  const webhook = signalTarget(found, signal);
  const recipient: Recipient = {
    destination: destinationOf(bot.id, signal.webhookId),
    botId: bot.id,
    badEventRetries: badEventRetries(bot),
    integrationId: undefined,
    target: webhook && { url: webhook.url },
    address: webhook?.address,
    shownStatuses: [],
  };
  if (!webhook) return { recipient, outcome: { kind: 'ignored', reason: 'The webhook of the chat was removed.' } };
  const { url, address } = webhook;
  const request = signalRequest(found, webhook, signal).then(built => built ?? GONE);
  return withCall(recipient, { target: { url }, address, request, attempt });
}

async function withCall(
  recipient: Recipient,
  call: { target: Target; address: string; request: Promise<Request | Outcome>; attempt: number },
): Promise<Prepared> {
  const { target, address, attempt } = call;
  const [request, endpoint] = await Promise.all([
    call.request,
    findEndpointState(recipient.destination, address, { nowMs: clock.now() }),
  ]);
  if ('kind' in request) return { recipient, outcome: request };
  const { headers, body } = request;
  const numbered = { headers: { ...headers, ...attemptHeader(attempt) }, body };
  return { recipient, call: { target, address, request: numbered, endpoint } };
}

interface Installed {
  installation: Installation | undefined;
  integration: Integration | undefined;
}

async function findInstalled(bot: Bot, webhookId: string): Promise<Installed> {
  const installation = usableInstallation(bot, webhookId);
  return { installation, integration: installation && (await findIntegration(installation.integrationId)) };
}

function shownStatuses({ bot, definition }: FoundBot): readonly MessageStatus[] {
  if (webchatInstallations(bot, definition).length > 0) return MESSAGE_STATUSES;
  return bot.installations.some(({ isEnabled, isChat }) => isEnabled && isChat) ? ['failed'] : [];
}

function withoutTarget(bot: Bot, installed: Installed | undefined, webhookId: string | undefined): Outcome {
  const host = installed ? installed.integration : bot;
  // Without a target, only code that is being deployed is reachable.
  if (host && isReachable(host)) {
    return { kind: 'postponed', waitsFor: 'code', reason: 'The code is being deployed.' };
  }
  if (!installed) return { kind: 'leftPending' };
  if (installed.installation) {
    return { kind: 'ignored', reason: 'The integration has neither a url nor running code.' };
  }
  const enabled = webhookId === undefined ? undefined : recipientInstallation(bot, webhookId);
  const fault = enabled && needsConfiguration(enabled);
  return fault
    ? { kind: 'failed', reason: fault.message }
    : { kind: 'ignored', reason: 'The integration is uninstalled or disabled.' };
}

const GONE: Outcome = { kind: 'ignored', reason: 'Its message, user or conversation was deleted.' };

async function eventRequest({ bot, definition }: FoundBot, event: Event): Promise<Request | Outcome> {
  const found = await contextOf(bot.id, event);
  if (!found) return GONE;
  const handoff = await withholdingHandoff(bot.id, event, found.conversation);
  if (handoff) return { kind: 'withheld', handoff };
  const body = JSON.stringify({ event: viewEvent(BOT_SCOPE, event, found.payload) });
  const headers = {
    ...botHeaders(bot, definition, 'event_received', event.type),
    ...signedHeaders(bot, { id: event.id, body, nowMs: clock.now() }),
  };
  return { headers, body };
}

/**
 * Returns the handoff that withholds an event. Reads nothing for conversations without a handoff. The bot receives the
 * messages of members in a session of the integration inbox.
 */
async function withholdingHandoff(
  botId: string,
  { id }: Event,
  conversation: Conversation | undefined,
): Promise<Handoff | undefined> {
  const entry = entryOfEvent(id);
  if (!entry || conversation?.handoffId === undefined || conversation.isHitlSession) return undefined;
  return findHandoffAt(botId, conversation, entry.position);
}

async function outgoingRequest(
  { bot, definition }: FoundBot,
  { installation, integration }: Installed,
  outgoing: OutgoingChange,
): Promise<Request | Outcome> {
  if (!installation || !integration) return GONE;
  const found = await outgoingBody(bot, installation, outgoing);
  if (!found) return GONE;
  if (own(definition.installations, installation.alias)?.disabledChannels.includes(found.channel)) {
    return { kind: 'ignored', reason: `The installation disables the channel ${found.channel}.` };
  }
  const { operation, id } = outgoing;
  const input = { type: operation, input: found.body, id };
  return integrationRequest({ bot, installation, definition, integration }, operation, input);
}

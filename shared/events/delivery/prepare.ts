import { clock } from '#shared/core/clock.ts';
import { own } from '#shared/core/own.ts';
import { viewEvent } from '#shared/domain/messaging/botViews/event.ts';
import { contextOf } from '#shared/domain/messaging/botViews/eventPayload.ts';
import { outgoingBody } from '#shared/domain/messaging/botViews/outgoingBody.ts';
import { BOT_SCOPE } from '#shared/domain/messaging/callerScope.ts';
import { addressOf, addressOfBot, isReachable, type Target, targetOf } from '#shared/outbound/code/target.ts';
import { botHeaders } from '#shared/outbound/endpoints/headers.ts';
import { signedHeaders } from '#shared/outbound/endpoints/signature.ts';
import { integrationRequest } from '#shared/outbound/installations/callIntegration.ts';
import { isInbox } from '#shared/outbound/installations/inbox.ts';
import { webchatInstallations } from '#shared/outbound/installations/webchat.ts';
import { type Bot, findBot, findBotWithDefinition } from '#shared/storage/dynamodb/bots/bots.ts';
import type { Installation } from '#shared/storage/dynamodb/bots/installation.ts';
import type { Handoff } from '#shared/storage/dynamodb/chat/handoffs.ts';
import { MESSAGE_STATUSES, type MessageStatus } from '#shared/storage/dynamodb/chat/presence.ts';
import { findIntegration } from '#shared/storage/dynamodb/integrations/integrations.ts';
import { type Lane, laneOf, parseLane } from '#shared/storage/dynamodb/partitioning/lanes.ts';
import { type BadEventRetries, badEventRetries } from './badEventRetries.ts';
import { type Delivery, isOutgoing } from './records.ts';
import { withholdingHandoff } from './withhold.ts';

type Request =
  | { headers: Record<string, string>; body: string }
  | { ignored: string }
  /** Handoff that withholds the message from the bot. */
  | { withheldBy: Handoff };

export interface Recipient {
  lane: Lane;
  botId: string;
  badEventRetries: BadEventRetries;
  /** Undefined for the bot's own lane. */
  integrationId?: string | undefined;
  target: Target | undefined;
  address: string | undefined;
  /** Code without a running revision yet. */
  isRollingOut: boolean;
  /** Statuses that clients display: the webchat client shows all of them, other chat clients only failures. */
  shownStatuses: readonly MessageStatus[];
  /** Reason for ignoring deliveries while there is no target. */
  unreachable: string;
  requestFor(delivery: Delivery): Promise<Request>;
}

const GONE: Request = { ignored: 'Its message, user or conversation was deleted.' };

export async function findRecipient(lane: Lane): Promise<Recipient | undefined> {
  const { botId, webhookId } = parseLane(lane);
  const found = await findBotWithDefinition(botId);
  if (!found || found.bot.deletedAtMs !== undefined) return undefined;
  return webhookId === undefined ? botRecipient(found) : installationRecipient(found, webhookId);
}

type Found = NonNullable<Awaited<ReturnType<typeof findBotWithDefinition>>>;

function botRecipient({ bot, definition }: Found): Recipient {
  return {
    lane: laneOf(bot.id),
    botId: bot.id,
    badEventRetries: badEventRetries(bot),
    ...reached('bot', bot),
    shownStatuses: webchatInstallations(bot, definition).length > 0 ? MESSAGE_STATUSES : hasChat(bot) ? ['failed'] : [],
    unreachable: 'The bot has neither a url nor running code.',
    requestFor: async event => {
      if (isOutgoing(event)) throw new Error(`${event.id} is addressed to an installation, not to the bot.`);
      const found = await contextOf(bot.id, event);
      if (!found) return GONE;
      const withheldBy = await withholdingHandoff(bot.id, event, found.conversation);
      if (withheldBy) return { withheldBy };
      const body = JSON.stringify({ event: viewEvent(BOT_SCOPE, event, found.payload) });
      const headers = {
        ...botHeaders(bot, definition, 'event_received', event.type),
        ...signedHeaders(bot, { id: event.id, body, nowMs: clock.now() }),
      };
      return { headers, body };
    },
  };
}

const hasChat = ({ installations }: Bot) => installations.some(({ isEnabled, isChat }) => isEnabled && isChat);

async function installationRecipient({ bot, definition }: Found, webhookId: string): Promise<Recipient> {
  const installation = usableInstallation(bot, webhookId);
  const integration = installation && (await findIntegration(installation.integrationId));
  return {
    lane: laneOf(bot.id, webhookId),
    botId: bot.id,
    badEventRetries: badEventRetries(bot),
    integrationId: installation?.integrationId,
    ...reached('integration', integration),
    shownStatuses: [],
    unreachable: installation
      ? 'The integration has neither a url nor running code.'
      : 'The integration is uninstalled or disabled.',
    requestFor: async outgoing => {
      if (!isOutgoing(outgoing)) throw new Error(`${outgoing.id} is addressed to the bot, not to an installation.`);
      if (!installation || !integration) return GONE;
      const found = await outgoingBody(bot, installation, outgoing);
      if (!found) return GONE;
      if (own(definition.installations, installation.alias)?.disabledChannels.includes(found.channel)) {
        return { ignored: `The installation disables the channel ${found.channel}.` };
      }
      const { operation, id } = outgoing;
      return integrationRequest({ bot, installation, definition, integration }, operation, {
        type: operation,
        input: found.body,
        id,
      });
    },
  };
}

/** Returns the enabled installation of a conversation. Users of a chat and members of the inbox need no delivery. */
export const usableInstallation = ({ installations }: Bot, webhookId: string): Installation | undefined =>
  installations.find(each => each.webhookId === webhookId && each.isEnabled && !each.isChat && !isInbox(each));

function reached(kind: 'bot' | 'integration', record: Parameters<typeof targetOf>[1] | undefined) {
  const target = record && targetOf(kind, record);
  return {
    target,
    address: target && addressOf(target),
    isRollingOut: record !== undefined && isReachable(record),
  };
}

export async function findAddress(lane: Lane): Promise<{ isGone: boolean; address?: string | undefined }> {
  const { botId, webhookId } = parseLane(lane);
  const bot = await findBot(botId);
  if (!bot || bot.deletedAtMs !== undefined) return { isGone: true };
  if (webhookId === undefined) return { isGone: false, address: addressOfBot(bot) };
  const installation = usableInstallation(bot, webhookId);
  const integration = installation && (await findIntegration(installation.integrationId));
  return { isGone: false, address: reached('integration', integration).address };
}

/** Actions that control the webchat client of a conversation (docs/api/chat.md#webchat). */

import * as z from 'zod/mini';
import { clock } from '#shared/core/clock.ts';
import { invalidPayload } from '#shared/core/errors.ts';
import { derivedUserId } from '#shared/core/ids.ts';
import { invalidValue } from '#shared/core/invalidValue.ts';
import { InexactJsonError, parseExactly } from '#shared/core/parseExactly.ts';
import { requireConversation } from '#shared/domain/botChat/botChatConversations.ts';
import { id, userFields } from '#shared/domain/botChat/botChatInputs.ts';
import { requireUser } from '#shared/domain/botChat/botChatUsers.ts';
import { joinStandIn } from '#shared/domain/botChat/joinStandIn.ts';
import type { CallerScope } from '#shared/domain/messaging/callerScope.ts';
import * as presence from '#shared/storage/dynamodb/chat/presence.ts';
import { retryConflicts, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { parseActionInput } from './actionInputs.ts';
import { appendBotEvent } from './sendEvent.ts';

type Action = (scope: CallerScope, input: unknown) => Promise<Record<string, unknown>>;

const InConversation = z.object({ conversationId: z.string() });
/** An object, or its JSON text, as in the official definition. */
const object = () => z.union([z.string(), z.record(z.string(), z.any())]);

const visibility =
  (visibility: 'show' | 'hide' | 'toggle'): Action =>
  (scope, input) => {
    const { conversationId } = parseActionInput(InConversation, input);
    return appendBotEvent(scope, conversationId, { type: 'webchat_visibility', visibility });
  };

const typing =
  (isTyping: boolean): Action =>
  async (scope, input) => {
    const { conversationId } = parseActionInput(InConversation, input);
    const { id, generation } = await requireConversation(scope, conversationId);
    const { botId } = scope;
    await write([presence.showTyping(botId, { conversationId: id, userId: botId, generation }, isTyping, clock.now())]);
    return {};
  };

const configWebchat: Action = (scope, input) => {
  const { conversationId, config } = parseActionInput(z.extend(InConversation, { config: object() }), input);
  return appendBotEvent(scope, conversationId, { type: 'webchat_config', config: parsed(config, 'input.config') });
};

const customEvent: Action = (scope, input) => {
  const { conversationId, event } = parseActionInput(z.extend(InConversation, { event: object() }), input);
  return appendBotEvent(scope, conversationId, parsed(event, 'input.event'));
};

const getUserData: Action = async (scope, input) => {
  const { userId } = parseActionInput(z.object({ userId: z.string() }), input);
  const user = await requireUser(scope, userId);
  return user.data === undefined ? {} : { userData: JSON.parse(user.data) };
};

const Person = z.object({ ...userFields, user: z.extend(InConversation, { id: id() }) });

/**
 * Adds a person of another channel to a conversation, for example a human agent. The bot then writes in their name (see
 * `contextFrom`). The email of the ecosystem's definition is not stored, because end users must not see it.
 */
const getOrCreateUser: Action = async (scope, input) => {
  const { user: person, ...profile } = parseActionInput(Person, input);
  const { botId } = scope;
  return retryConflicts(async () => {
    const conversation = await requireConversation(scope, person.conversationId);
    const userId = derivedUserId(botId, conversation.webhookId, 'person', person.id);
    const user = { ...profile, id: userId, personId: person.id };
    await write(await joinStandIn({ botId, nowMs: clock.now() }, conversation, user));
    return { userId };
  });
};

/** @throws ApiError InvalidPayload for a text that is not a JSON object */
function parsed(value: string | Record<string, unknown>, path: string): Record<string, unknown> {
  if (typeof value !== 'string') return value;
  const fault = () => invalidPayload('Must be an object, or a JSON object as text.', path);
  let content: unknown;
  try {
    content = parseExactly(value);
  } catch (error) {
    throw error instanceof InexactJsonError ? invalidValue(`${path}.${error.path}`, error.message) : fault();
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) throw fault();
  return content as Record<string, unknown>;
}

export const WEBCHAT_ACTIONS: Record<string, Action> = {
  showWebchat: visibility('show'),
  hideWebchat: visibility('hide'),
  toggleWebchat: visibility('toggle'),
  startTypingIndicator: typing(true),
  stopTypingIndicator: typing(false),
  configWebchat,
  customEvent,
  getUserData,
  getOrCreateUser,
};

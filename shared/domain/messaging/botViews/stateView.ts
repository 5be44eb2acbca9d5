import * as z from 'zod/mini';
import { dateTime, iso } from '#shared/api/views.ts';
import { STATE_TYPES, type State, stateIdOf } from '#shared/storage/dynamodb/chat/states.ts';
import { loadValue } from '#shared/storage/dynamodb/engine/largeValue.ts';
import { Payload } from './viewFields.ts';

export const StateView = z.object({
  id: z.string(),
  createdAt: dateTime(),
  updatedAt: dateTime(),
  botId: z.string(),
  conversationId: z.optional(z.string()),
  userId: z.optional(z.string()),
  name: z.string(),
  type: z.enum(STATE_TYPES),
  payload: Payload,
  expiry: z.optional(z.number()),
  expiresAt: z.optional(dateTime()),
});

export const viewState = (
  botId: string,
  state: State,
  name: string,
  payload: Record<string, unknown>,
): z.infer<typeof StateView> => ({
  id: stateIdOf(botId, state),
  createdAt: iso(state.createdAtMs),
  updatedAt: iso(state.updatedAtMs),
  botId,
  ...(state.type === 'conversation' ? { conversationId: state.ownerId } : {}),
  ...(state.type === 'user' ? { userId: state.ownerId } : {}),
  name,
  type: state.type,
  payload,
  expiry: state.expiryMs,
  ...(state.expiresAtMs === undefined ? {} : { expiresAt: iso(state.expiresAtMs) }),
});

export const loadState = async (botId: string, state: State, name: string) =>
  viewState(botId, state, name, (await loadValue(state)) as Record<string, unknown>);

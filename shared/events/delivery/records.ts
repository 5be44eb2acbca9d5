import { type Event, findEvent, listPendingEvents, orderOfEvent } from '#shared/storage/dynamodb/chat/events.ts';
import {
  findOutgoing,
  listPendingOutgoing,
  type Outgoing,
  parseOutgoingId,
} from '#shared/storage/dynamodb/chat/outgoing.ts';
import { type Lane, parseLane } from '#shared/storage/dynamodb/partitioning/lanes.ts';

export type Delivery = Event | Outgoing;

export type Settlement = { status: 'processed' } | { status: 'failed' | 'ignored'; reason: string };

export const isOutgoing = (delivery: Delivery): delivery is Outgoing => 'operation' in delivery;

export const findDelivery = (botId: string, id: string): Promise<Delivery | undefined> =>
  parseOutgoingId(id) ? findOutgoing(botId, id) : findEvent(botId, id);

/** Returns the conversation that orders a delivery, and its position there. Positions sort in delivery order. */
export const orderOf = (id: string): { conversationId: string; position: string } =>
  parseOutgoingId(id) ?? orderOfEvent(id);

export async function listPending(
  lane: Lane,
  conversationId: string,
  from: string,
): Promise<{ records: Delivery[]; next?: string }> {
  const { botId, webhookId } = parseLane(lane);
  if (webhookId !== undefined) return listPendingOutgoing(botId, conversationId, from);
  const { events, ...rest } = await listPendingEvents(botId, conversationId, from);
  return { records: events, ...rest };
}

import { type Event, findEvent, listPendingEvents, orderOfEvent } from '#shared/storage/dynamodb/chat/events.ts';
import {
  findOutgoing,
  listPendingOutgoing,
  type OutgoingChange,
  type OutgoingSignal,
  parseOutgoingId,
} from '#shared/storage/dynamodb/chat/outgoing.ts';
import { type Destination, parseDestination } from '#shared/storage/dynamodb/partitioning/destinations.ts';

export type Delivery = Event | OutgoingChange | OutgoingSignal;

export const isOutgoing = (delivery: Delivery): delivery is OutgoingChange | OutgoingSignal => 'operation' in delivery;

export const isSignal = (delivery: Delivery): delivery is OutgoingSignal =>
  isOutgoing(delivery) && delivery.operation === 'signal';

export const nameOf = (delivery: Delivery): string =>
  isSignal(delivery)
    ? `The signal ${delivery.signal} of ${delivery.conversationId} to the webhook of the chat`
    : isOutgoing(delivery)
      ? `${delivery.operation} of ${delivery.messageId ?? delivery.conversationId} to the integration`
      : `The event ${delivery.id} (${delivery.type})`;

export const findDelivery = (botId: string, id: string): Promise<Delivery | undefined> =>
  parseOutgoingId(id) ? findOutgoing(botId, id) : findEvent(botId, id);

/** Returns the conversation that orders a delivery, and its position there. Positions sort in delivery order. */
export const orderOf = (id: string): { conversationId: string; position: string } =>
  parseOutgoingId(id) ?? orderOfEvent(id);

export async function listPending(
  destination: Destination,
  conversationId: string,
  from: string,
): Promise<{ records: Delivery[]; next?: string }> {
  const { botId, webhookId } = parseDestination(destination);
  if (webhookId !== undefined) return listPendingOutgoing(botId, conversationId, from);
  const { events, ...rest } = await listPendingEvents(botId, conversationId, from);
  return { records: events, ...rest };
}

/** Converts messages for the webchat client, which expects the content of `bloc` items in `payload`. */

import type * as z from 'zod/mini';
import type { MessageView } from '#shared/domain/chat/chatViews.ts';

type Message = z.infer<typeof MessageView>;
type Item = Record<string, unknown>;

export function webchatMessage<M extends Message>(message: M): M {
  const { type, items } = message.payload as { type: string; items?: Item[] };
  if (type !== 'bloc' || !Array.isArray(items)) return message;
  return { ...message, payload: { ...message.payload, items: items.map(nested) } } as M;
}

const nested = ({ type, ...content }: Item): Item =>
  typeof content.payload === 'object' && content.payload !== null ? { type, ...content } : { type, payload: content };

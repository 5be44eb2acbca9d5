/**
 * Message payloads of the chat interface: eleven variants, and the newer client's `bloc` for installations with
 * `payloadExtensions`. Additional keys are kept. See docs/api/chat.md#message-payloads.
 */
import * as z from 'zod/mini';
import { verbatimBy } from '#shared/api/verbatim.ts';

const text = () => z.string().check(z.minLength(1));

const Action = z.looseObject({ action: z.enum(['postback', 'url', 'say']), label: text(), value: text() });
const Option = z.looseObject({ label: text(), value: text() });
const card = {
  title: text(),
  subtitle: z.optional(text()),
  imageUrl: z.optional(text()),
  actions: z.array(Action),
};

const plainVariants = [
  z.looseObject({ type: z.literal('audio'), audioUrl: text() }),
  z.looseObject({ type: z.literal('file'), fileUrl: text(), title: z.optional(text()) }),
  z.looseObject({ type: z.literal('image'), imageUrl: text() }),
  z.looseObject({
    type: z.literal('location'),
    latitude: z.number(),
    longitude: z.number(),
    address: z.optional(z.string()),
    title: z.optional(z.string()),
  }),
  z.looseObject({ type: z.literal('markdown'), markdown: text() }),
  z.looseObject({ type: z.literal('text'), text: text() }),
  z.looseObject({ type: z.literal('video'), videoUrl: text() }),
] as const;

const variants = [
  ...plainVariants,
  z.looseObject({ type: z.literal('card'), ...card }),
  // `type` is part of the client's types, but not of the specification.
  z.looseObject({ type: z.literal('carousel'), items: z.array(z.looseObject(card)) }),
  z.looseObject({ type: z.literal('choice'), text: text(), options: z.array(Option) }),
  z.looseObject({ type: z.literal('dropdown'), text: text(), options: z.array(Option) }),
] as const;

export const Payload = z.discriminatedUnion('type', variants);

const FlatItem = z.discriminatedUnion('type', plainVariants);
/** Format of the webchat client, with the content in `payload`. */
const NestedItem = z.discriminatedUnion(
  'type',
  plainVariants.map(({ shape: { type, ...content } }) =>
    z.looseObject({ type, payload: z.looseObject(content as z.core.$ZodShape) }),
  ) as unknown as [z.ZodMiniObject<{ type: z.ZodMiniLiteral<string>; payload: z.ZodMiniObject }>],
);
const hasPayload = (item: unknown) =>
  typeof item === 'object' && item !== null && typeof (item as { payload?: unknown }).payload === 'object';
const BlocItem = verbatimBy(item => (hasPayload(item) ? NestedItem : FlatItem), z.union([FlatItem, NestedItem]));
const Bloc = z.looseObject({ type: z.literal('bloc'), items: z.array(BlocItem) });
export const ExtendedPayload = z.discriminatedUnion('type', [...variants, Bloc]);

/** The pages from which an end user has a conversation open: one item per conversation, which expires. */
import * as z from 'zod/mini';
import { type Item, readItem, readItemsEventually } from '#shared/storage/dynamodb/engine/query.ts';
import { type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import { memberPresenceKey, presenceKey, visitKey } from '#shared/storage/dynamodb/keys/chat.ts';
import { type MemberPresence, parseMemberPresence } from './memberPresence.ts';
import { type Presence, parsePresences } from './presence.ts';

const RETENTION_SECONDS = 30 * 24 * 60 * 60;

const Page = z.object({ url: z.string(), title: z.optional(z.string()), atMs: z.number() });
export type Page = z.infer<typeof Page>;

export const DEVICE_KINDS = ['desktop', 'phone', 'tablet', 'tv', 'bot'] as const;
export const DEVICE = {
  browser: z.optional(z.string()),
  os: z.optional(z.string()),
  device: z.optional(z.enum(DEVICE_KINDS)),
};

const Visit = z.object({
  userId: z.string(),
  generation: z.number(),
  /** Newest first. */
  pages: z.array(Page),
  /** Changes with the current page. */
  pageId: z.number(),
  revision: z.number(),
  atMs: z.number(),
  referrer: z.optional(z.string()),
  language: z.optional(z.string()),
  timeZone: z.optional(z.string()),
  ...DEVICE,
});
export type Visit = z.infer<typeof Visit>;

const parseVisit = (item: Item | undefined): Visit | undefined => item && Visit.parse(item);

export const findVisit = async (botId: string, conversationId: string): Promise<Visit | undefined> =>
  parseVisit(await readItem(visitKey(botId, conversationId)));

/** Fails with {@link WriteConflict} if the visit has changed since the read. */
export const putVisit = (botId: string, conversationId: string, visit: Visit, before: Visit | undefined): Write => ({
  put: {
    Item: {
      ...visitKey(botId, conversationId),
      ...visit,
      g: visit.generation || undefined,
      ttl: Math.floor(visit.atMs / 1000) + RETENTION_SECONDS,
    },
    ...(before
      ? { ConditionExpression: 'revision = :before', ExpressionAttributeValues: { ':before': before.revision } }
      : { ConditionExpression: 'attribute_not_exists(pk)' }),
  },
  onRefused: () => new WriteConflict(),
});

/** Reads what the inbox shows of the people in a conversation. Eventually consistent, at half the price. */
export async function findAttendance(
  botId: string,
  conversationId: string,
): Promise<{ presence: Presence[]; members: MemberPresence[]; visit: Visit | undefined }> {
  const [presence, members, visit] = await readItemsEventually([
    presenceKey(botId, conversationId),
    memberPresenceKey(botId, conversationId),
    visitKey(botId, conversationId),
  ]);
  return { presence: parsePresences(presence ?? {}), members: parseMemberPresence(members), visit: parseVisit(visit) };
}
